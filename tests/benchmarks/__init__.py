"""Benchmarks: ``make bench``, or ``python -m tests.benchmarks [NAME ...]``."""
