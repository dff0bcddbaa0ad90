//! palpable-papers
