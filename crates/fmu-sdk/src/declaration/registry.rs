//! One [`Declared`] per model and process.

use std::any::{Any, TypeId};
use std::sync::{Mutex, PoisonError};

use super::Declared;
use crate::Model;

/// All models share this static, because statics cannot be generic. A library contains one model; a test may contain several.
static REGISTRY: Mutex<Vec<(TypeId, &'static (dyn Any + Send + Sync))>> = Mutex::new(Vec::new());

/// Returns the declaration of `M`, created on first use and kept until the process ends.
pub(crate) fn declared<M: Model>() -> &'static Declared<M> {
    let mut registry = REGISTRY.lock().unwrap_or_else(PoisonError::into_inner);
    let known = registry.iter().find(|(id, _)| *id == TypeId::of::<M>()).and_then(|(_, any)| any.downcast_ref());
    known.unwrap_or_else(|| {
        let new: &'static Declared<M> = Box::leak(Box::new(Declared::new()));
        registry.push((TypeId::of::<M>(), new));
        new
    })
}
