"""Why functions of SciPy have no derivative here: patterns of names, by the reason."""

import re

REASONS = {
    "special": {
        "constants of integer arguments: zeros, numbers of a kind, and quadrature": r"""
            \w+_zeros (?:roots_)\w+ \w+_roots bernoulli euler stirling2 perm factorial2 factorialk geterr seterr
            errstate \w+_cv_seq""",
        "objects: polynomials, whose values `np.polyval` gives": r"""
            cheby[cstu] gegenbauer genlaguerre hermite hermitenorm jacobi laguerre legendre sh_\w+""",
        "values of other orthogonal polynomials, which a loop with their recurrence gives with its derivative": r"""
            assoc_laguerre assoc_legendre_p(?:_all)? legendre_p(?:_all)? sph_legendre_p(?:_all)?
            sph_harm_y(?:_all)? besselpoly""",
        "inverses of distribution functions in one of their parameters: `srcad.implicit.root` of the function": r"""
            bdtri\w* btdtri[ab] chdtriv chndtri\w+ chndtridf fdtri fdtridfd gdtri[abx] kolmogi
            nbdtri\w* ncfdtri\w* nctdtri\w+ nrdtri\w+ pdtri\w* smirnovi stdtridf tklmbda""",
        "distribution functions without a density among SciPy's functions": r"""
            chndtr kolmogorov ncfdtr nctdtr smirnov""",
        "several results at once, of which some are derivatives of others": r"""
            itairy lmbda lqmn lqn mathieu_\w+ modfresnel[mp] pb\w+ riccati_\w+ obl_\w+ pro_\w+""",
        "derivatives without a closed form, or as differences that lose all digits where arguments meet": r"""
            agm elliprc elliprd elliprg elliprj ellip_harm(?:_2)? ellip_normal diric""",
        "rarely fitted, and a rule of three lines": r"(?:log_)?wright_bessel radian",
    },
    "linalg": {
        "constants of integer arguments": r"dft hadamard helmert hilbert invhilbert invpascal pascal",
        "answers that are true or false, and counts": r"bandwidth ishermitian issymmetric",
        "of other libraries' routines, or of random numbers": r"""
            find_best_blas_type get_blas_funcs get_lapack_funcs clarkson_woodruff_transform""",
        "factors that jump with a pivot or an order; `lu`, `cholesky`, `eig` and `qr` have derivatives": r"""
            ldl cdf2rdf cossin qz ordqz rsf2csf matrix_balance""",
        "factors brought up to date, which those of the new matrix are, too: `qr`": r"qr_\w+",
        "a few lines of NumPy": r"expm_cond subspace_angles",
    },
    "fft": {
        "lengths, which are constants": r"next_fast_len prev_fast_len fhtoffset",
        "of logarithmically spaced samples, a convolution: `fft` and `ifft`": r"i?fht",
        "how SciPy computes": r"\w+_backend [gs]et_workers",
    },
    "integrate": {
        "of functions, adaptively: `quad` of each variable": r"""
            quad_vec cubature tanhsinh qmc_quad nsum""",
        "differential equations: `srcad.odeint`": r"solve_bvp",
        "constants of integer arguments": r"newton_cotes lebedev_rule",
    },
    "ndimage": {
        "of images that are true and false, and of labels": r"""
            binary_\w+ distance_transform_\w+ find_objects generate_binary_structure iterate_structure label
            labeled_comprehension watershed_ift value_indices extrema center_of_mass histogram maximum minimum mean
            median sum sum_labels standard_deviation variance (?:maximum|minimum)_position""",
        "selections from a window: `np.max`, `np.median` and their kin of shifted parts": r"""
            maximum_filter(?:1d)? minimum_filter(?:1d)? median_filter percentile_filter rank_filter grey_\w+
            morphological_\w+ black_tophat white_tophat vectorized_filter""",
        "of a function of a window: a loop": r"generic_\w+",
        "sums of other filters: `gaussian_filter` with `order=`": r"gaussian_laplace gaussian_gradient_magnitude",
        "places of a grid, and splines between them: `map_coordinates` with `order=1`": r"""
            affine_transform geometric_transform rotate shift zoom spline_filter(?:1d)?""",
        "products with a spectrum: `np.fft` and a product": r"fourier_\w+",
    },
    "signal": {
        "of the design of filters: constants, which may stand outside": r"""
            bessel\w* butt\w+ cheb\w+ ellip\w* iir\w+ firwin\w* firls remez kaiser\w* bilinear\w* lp2\w+ gammatone
            band_stop_obj normalize findfreqs cont2discrete \w*2(?:tf|zpk|ss|sos) savgol_coeffs get_window
            closest_STFT_dual_window check_\w+ sosfilt_zi lfiltic max_len_seq unit_impulse correlation_lags
            choose_conv_method czt_points abcd_normalize place_poles minimum_phase""",
        "of spectra: a window, `np.lib.stride_tricks.sliding_window_view`, and `np.fft`": r"""
            lombscargle czt zoom_fft vectorstrength hilbert2 envelope""",
        "of responses of a system: `np.polyval` of its coefficients, `signal.lfilter`, or `srcad.odeint`": r"""
            freq[sz]\w* freqresp sosfreqz group_delay d?bode dfreqresp d?impulse d?step d?lsim lsim""",
        "that filter at another rate, or from both ends: `signal.filtfilt` and a part of it": r"""
            decimate resample resample_poly upfirdn sepfir2d symiirorder[12] deconvolve""",
        "of splines: `ndimage.map_coordinates` with `order=1`": r"[cq]spline\w+ gauss_spline spline_filter",
        "of peaks, and selections from a window": r"""
            argrel\w+ find_peaks\w* peak_\w+ medfilt(?:2d)? order_filter wiener""",
        "of waves, in a line of NumPy": r"chirp gausspulse sawtooth square sweep_poly",
        "factors of fractions: `np.roots`": r"invresz? residuez? unique_roots",
    },
    "interpolate": {
        "values between samples: `np.interp`, or `interpolate.interpn` on a grid": r"""
            griddata barycentric_interpolate krogh_interpolate pchip_interpolate""",
        "objects that hold a spline: a system of equations with `scipy.linalg.solve_banded`": r"""
            make_\w+ spl(?!rep|ev)\w+ bisplrep sproot insert spalde generate_knots""",
        "of a function, or polynomials: `np.polyfit`, `np.polyval`": r"approximate_taylor_polynomial lagrange pade",
    },
    "stats functions": {
        "tests of hypotheses: probabilities of a statistic, which a few lines of NumPy give": r"""
            \w*test\w* alexandergovern anderson\w* ansari bartlett barnard_exact boschloo_exact brunnermunzel
            chi2_contingency chisquare cramervonmises\w* dunnett epps_singleton_2samp f_oneway fisher_exact fligner
            friedmanchisquare jarque_bera ks_[12]samp kruskal levene logrank mannwhitneyu mood multiscale_graphcorr
            obrientransform power power_divergence ranksums shapiro tukey_hsd ttest_\w+ wilcoxon combine_pvalues
            false_discovery_control goodness_of_fit page_trend_test sobol_indices somersd""",
        "of ranks, counts and orders, or that leave numbers out": r"""
            rankdata mode binned_\w+ cumfreq relfreq percentileofscore scoreatpercentile quantile trim1 trimboth
            sigmaclip tmax tmin tmean tvar tstd tsem tiecorrect order_statistic kendalltau spearmanr\w* weightedtau
            siegelslopes theilslopes median_abs_deviation wasserstein_\w+ energy_distance ecdf chatterjeexi""",
        "of samples, in a few lines of NumPy": r"""
            kstat kstatvar lmoment describe differential_entropy circ\w+ directional_stats expectile pointbiserialr
            yeojohnson_llf""",
        "that fit, search or draw": r"""
            fit bootstrap bayes_mvs mvsdist boxcox boxcox_\w+ yeojohnson yeojohnson_\w+ ppcc_\w+ probplot
            monte_carlo_test permutation_test make_distribution truncate abs exp log""",
    },
    "distance": {
        "of vectors that are true and false": r"dice hamming jaccard rogerstanimoto russellrao sokalsneath yule",
        "counts, checks, and a choice of points": r"is_valid_\w+ num_obs_\w+ directed_hausdorff",
    },
}


def by_reason(module: str, names: list[str]) -> dict[str, list[str]]:
    """The names for each reason.

    >>> by_reason("special", ["agm", "y0_zeros"])
    {'constants of integer arguments: zeros, numbers of a kind, and quadrature': ['y0_zeros'],
     'derivatives without a closed form, or as differences that lose all digits where arguments meet': ['agm']}
    """
    found: dict[str, list[str]] = {}
    for reason, patterns in REASONS[module].items():
        mine = [n for n in names if any(re.fullmatch(p, n) for p in patterns.split())]
        if mine:
            found[reason] = mine
        names = [n for n in names if n not in mine]
    assert not names, f"scipy.{module} has functions without a derivative and without a reason: {names}"
    return found
