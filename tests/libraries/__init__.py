"""Programs that ask other libraries; the tests read the answers, which are committed."""
