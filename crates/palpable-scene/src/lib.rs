//! palpable-scene
