"""Why a print that does not fit is not called wrong."""
