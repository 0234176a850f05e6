"""Spectra of signals by `scipy.signal`: averages over windows, spectra window by window, and signals made of these."""

from __future__ import annotations

import numpy as np
from scipy import signal

from srcad.library import axis_of, instead_of, refuse
from srcad.library.axes import array_of, squared
from srcad.library.padding import padded

# ---------------------------------------------------------------- windows of a signal


def samples_of(window, n):
    """A window of so many samples."""
    if window is None:
        return signal.windows.tukey(n, 0.25, sym=False)
    if isinstance(window, tuple) and isinstance(window[0], str):
        return refuse("a window with parameters", "its samples: signal.get_window(window, n)")
    return signal.get_window(window, n) if isinstance(window, str) else array_of(window)


def length_of(window, nperseg, n, default):
    """How many samples a window has: of a signal with `n` of them, no more than that."""
    if window is not None and not isinstance(window, str):
        return len(window)
    return min(default if nperseg is None else nperseg, n)


def parts_of(x, n, step, detrend):
    """The windows of a signal, as rows, without their trends."""
    places = step * np.arange((x.shape[-1] - n) // step + 1)[:, None] + np.arange(n)
    parts = x[..., places]
    return parts if detrend is False or detrend is None else signal.detrend(parts, -1, detrend)


def transforms_of(x, w, step, size, detrend, return_onesided):
    """The Fourier transform of each window of a signal."""
    parts = parts_of(x, w.shape[0], step, detrend) * w
    return np.fft.fft(parts, size) if np.iscomplexobj(x) or not return_onesided else np.fft.rfft(parts, size)


def frequencies(x, size, fs, return_onesided):
    if np.iscomplexobj(x) or not return_onesided:
        return np.fft.fftfreq(size, 1.0 / fs)
    return np.fft.rfftfreq(size, 1.0 / fs)


def weight(w, fs, scaling):
    """What the square of a transform is multiplied by."""
    if scaling not in ("density", "spectrum"):
        return refuse("a spectrum with this scaling", "'density' or 'spectrum'")
    return 1.0 / (fs * np.sum(w * w)) if scaling == "density" else 1.0 / np.sum(w) ** 2


def twofold(x, size, return_onesided):
    """Two for a frequency that stands for its negative, too."""
    if np.iscomplexobj(x) or not return_onesided:
        return 1.0
    k = np.arange(size // 2 + 1)
    return np.where((k > 0) & (2 * k < size), 2.0, 1.0).astype(x.dtype)


# ---------------------------------------------------------------- averages of spectra


def averaged(spectra, average):
    """The average over windows, which are the last axis but one."""
    if average == "mean":
        return np.mean(spectra, axis=-2)
    if average != "median":
        return refuse("an average of this kind", "'mean' or 'median'")
    even = 2.0 * np.arange(1, (spectra.shape[-2] - 1) // 2 + 1)
    bias = float(1.0 + np.sum(1.0 / (even + 1.0) - 1.0 / even))
    if np.iscomplexobj(spectra):
        return (np.median(np.real(spectra), axis=-2) + 1j * np.median(np.imag(spectra), axis=-2)) / bias
    return np.median(spectra, axis=-2) / bias


@instead_of(signal.welch)
def welch(
    x, fs=1.0, window="hann", nperseg=None, noverlap=None, nfft=None, detrend="constant", return_onesided=True,
    scaling="density", axis=-1, average="mean",
):  # fmt: skip
    moved = np.moveaxis(x, axis, -1)
    n = length_of(window, nperseg, moved.shape[-1], 256)
    w, size = samples_of(window, n).astype(np.real(moved).dtype), n if nfft is None else nfft
    step = n - (n // 2 if noverlap is None else noverlap)
    squares = squared(transforms_of(moved, w, step, size, detrend, return_onesided))
    spectra = squares * (weight(w, fs, scaling) * twofold(moved, size, return_onesided))
    return frequencies(moved, size, fs, return_onesided), np.moveaxis(averaged(spectra, average), -1, axis)


@instead_of(signal.periodogram)
def periodogram(
    x, fs=1.0, window="boxcar", nfft=None, detrend="constant", return_onesided=True, scaling="density", axis=-1
):
    moved = np.moveaxis(x, axis, -1)
    if nfft is not None:
        moved = moved[..., :nfft]
    n = moved.shape[-1]
    f, y = welch(moved, fs, "boxcar" if window is None else window, n, 0, nfft, detrend, return_onesided, scaling, -1)
    return f, np.moveaxis(y, -1, axis)


def lengthened(x, n):
    """A signal with zeros behind it."""
    return np.concatenate((x, np.zeros(x.shape[:-1] + (n - x.shape[-1],), x.dtype)), axis=-1)


@instead_of(signal.csd)
def csd(
    x, y, fs=1.0, window="hann", nperseg=None, noverlap=None, nfft=None, detrend="constant", return_onesided=True,
    scaling="density", axis=-1, average="mean",
):  # fmt: skip
    one, other = np.moveaxis(x, axis, -1), np.moveaxis(y, axis, -1)
    count = max(one.shape[-1], other.shape[-1])
    one, other = lengthened(one, count), lengthened(other, count)
    n = length_of(window, nperseg, count, 256)
    w, size = samples_of(window, n).astype(np.real(one).dtype), n if nfft is None else nfft
    step = n - (n // 2 if noverlap is None else noverlap)
    first = transforms_of(one, w, step, size, detrend, return_onesided)
    second = transforms_of(other, w, step, size, detrend, return_onesided)
    spectra = np.conj(first) * second * (weight(w, fs, scaling) * twofold(one, size, return_onesided))
    return frequencies(one, size, fs, return_onesided), np.moveaxis(averaged(spectra, average), -1, axis)


@instead_of(signal.coherence)
def coherence(
    x, y, fs=1.0, window="hann", nperseg=None, noverlap=None, nfft=None, detrend="constant", axis=-1
):
    f, xx = welch(x, fs, window, nperseg, noverlap, nfft, detrend, axis=axis)
    yy = welch(y, fs, window, nperseg, noverlap, nfft, detrend, axis=axis)[1]
    return f, squared(csd(x, y, fs, window, nperseg, noverlap, nfft, detrend, axis=axis)[1]) / xx / yy


# ---------------------------------------------------------------- spectra window by window


def times(count, n, step, fs, ahead):
    """The middles of windows; what was put before the signal comes before zero."""
    return (np.arange(count) * step + (0.0 if ahead else 0.5 * n)) / fs


@instead_of(signal.spectrogram)
def spectrogram(
    x, fs=1.0, window=None, nperseg=None, noverlap=None, nfft=None, detrend="constant",
    return_onesided=True, scaling="density", axis=-1, mode="psd",
):  # fmt: skip
    place = axis_of(axis, x.ndim)
    moved = np.moveaxis(x, axis, -1)
    n = length_of(window, nperseg, moved.shape[-1], 256)
    w, size = samples_of(window, n).astype(np.real(moved).dtype), n if nfft is None else nfft
    step = n - (n // 8 if noverlap is None else noverlap)
    z = transforms_of(moved, w, step, size, detrend, return_onesided)
    f, t = frequencies(moved, size, fs, return_onesided), times(z.shape[-2], n, step, fs, False)
    if mode == "psd":
        spectra = squared(z) * (weight(w, fs, scaling) * twofold(moved, size, return_onesided))
        return f, t, np.moveaxis(spectra, -1, place)
    y = np.moveaxis(z * np.sqrt(weight(w, fs, scaling)), -1, place)
    if mode == "complex":
        return f, t, y
    if mode == "magnitude":
        return f, t, np.abs(y)
    return f, t, np.angle(y) if mode == "angle" else np.unwrap(np.angle(y), axis=place)


@instead_of(signal.stft)
def stft(
    x, fs=1.0, window="hann", nperseg=256, noverlap=None, nfft=None, detrend=False, return_onesided=True,
    boundary="zeros", padded=True, axis=-1, scaling="spectrum",
):  # fmt: skip
    place = axis_of(axis, x.ndim)
    moved = np.moveaxis(x, axis, -1)
    n = length_of(window, nperseg, moved.shape[-1], 256)
    w, size = samples_of(window, n).astype(np.real(moved).dtype), n if nfft is None else nfft
    step = n - (n // 2 if noverlap is None else noverlap)
    if boundary is not None:
        moved = continued(moved, n // 2, boundary)
    if padded:
        moved = lengthened(moved, moved.shape[-1] + (n - moved.shape[-1]) % step % n)
    z = transforms_of(moved, w, step, size, detrend, return_onesided)
    y = z * np.sqrt(weight(w, fs, "density" if scaling == "psd" else scaling))
    t = times(z.shape[-2], n, step, fs, boundary is not None)
    return frequencies(moved, size, fs, return_onesided), t, np.moveaxis(y, -1, place)


def continued(x, count, kind):
    """A signal continued on both sides."""
    if kind == "zeros":
        return padded(x, x.ndim - 1, (count, count), "constant", (0, 0), (None, None), "even")
    if kind == "constant":
        return padded(x, x.ndim - 1, (count, count), "edge", (0, 0), (None, None), "even")
    if kind != "odd" and kind != "even":
        return refuse("a signal continued in this way", "'even', 'odd', 'constant', 'zeros' or None")
    return padded(x, x.ndim - 1, (count, count), "reflect", (0, 0), (None, None), kind)


@instead_of(signal.istft)
def istft(
    Zxx, fs=1.0, window="hann", nperseg=None, noverlap=None, nfft=None, input_onesided=True, boundary=True,
    time_axis=-1, freq_axis=-2, scaling="spectrum",
):  # fmt: skip
    z = np.moveaxis(Zxx, (freq_axis, time_axis), (-1, -2))
    usual = 2 * (z.shape[-1] - 1) if input_onesided else z.shape[-1]
    n = usual if nperseg is None else nperseg
    size = (n if input_onesided and n == usual + 1 else usual) if nfft is None else nfft
    step = n - (n // 2 if noverlap is None else noverlap)
    w = samples_of(window, n).astype(np.real(z).dtype)
    parts = (np.fft.irfft(z, size) if input_onesided else np.fft.ifft(z, size))[..., :n]
    scaled = parts * (w * (np.sum(w) if scaling == "spectrum" else np.sqrt(fs * np.sum(w * w))))
    count = z.shape[-2]
    x = np.zeros(z.shape[:-2] + (n + (count - 1) * step,), parts.dtype)
    norm = np.zeros(n + (count - 1) * step, w.dtype)
    for i in range(count):
        x[..., i * step : i * step + n] += scaled[..., i, :]
        norm[i * step : i * step + n] += w * w
    edge = n // 2 if boundary else 0
    inner = norm[edge : norm.shape[0] - edge]
    y = x[..., edge : x.shape[-1] - edge] / np.where(inner > 1e-10, inner, 1.0)
    t = np.arange(y.shape[0]) / fs
    if y.ndim == 1 or axis_of(time_axis, Zxx.ndim) == Zxx.ndim - 1:
        return t, y
    place = axis_of(time_axis, Zxx.ndim)
    return t, np.moveaxis(y, -1, place - 1 if axis_of(freq_axis, Zxx.ndim) < place else place)
