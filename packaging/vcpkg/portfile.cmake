# An overlay port inside the library's own sources: `vcpkg install taskstate --overlay-ports=packaging/vcpkg`.
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../.." ABSOLUTE)
vcpkg_check_features(OUT_FEATURE_OPTIONS features FEATURES codec TASKSTATE_CODEC sqlite TASKSTATE_SQLITE postgres TASKSTATE_POSTGRES)
vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS ${features} -DTASKSTATE_TESTS=OFF -DTASKSTATE_EXAMPLES=OFF -DTASKSTATE_COMMAND=OFF -DTASKSTATE_INSTALL=ON
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME taskstate CONFIG_PATH lib/cmake/taskstate)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
