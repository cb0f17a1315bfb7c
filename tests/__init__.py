"""Tests of pysolver."""
