//! palpable-record
