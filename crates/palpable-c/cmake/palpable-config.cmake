# find_package(palpable): the target palpable::palpable, a static library without other needs than the system's.
get_filename_component(_palpable_root "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET palpable::palpable)
  add_library(palpable::palpable STATIC IMPORTED)
  set_target_properties(palpable::palpable PROPERTIES
    IMPORTED_LOCATION "${_palpable_root}/lib/libpalpable_c.a"
    INTERFACE_INCLUDE_DIRECTORIES "${_palpable_root}/include"
    INTERFACE_LINK_LIBRARIES "pthread;dl;m")
endif()
set(palpable_FOUND TRUE)
