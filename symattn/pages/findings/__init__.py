"""Findings as sentences, and these as a report, a page, JSON, and what reviews show."""
