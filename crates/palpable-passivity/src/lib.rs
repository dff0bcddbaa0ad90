//! palpable-passivity
