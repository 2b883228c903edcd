//! Tells the linker of some platforms that Python's symbols come from the process that loads the module.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
