# Installation: one export set and one pkg-config file per component, and one CMake package for all.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/taskstate")
file(RELATIVE_PATH prefix_from_pc "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")

# A static library needs what it uses when it is linked; a shared one has linked it already.
get_target_property(core_type taskstate_core TYPE)
if(core_type STREQUAL "STATIC_LIBRARY")
    set(core_is_static ON)
    set(private "")
else()
    set(core_is_static OFF)
    set(private ".private")
endif()

# taskstate_install(<component> PC <name> DESCRIPTION <text> [REQUIRES <pkg-config name>...])
function(taskstate_install component)
    cmake_parse_arguments(PARSE_ARGV 1 part "" "PC;DESCRIPTION" "REQUIRES")
    set(target taskstate_${component})
    install(TARGETS ${target} EXPORT taskstate-${component} FILE_SET HEADERS)
    install(EXPORT taskstate-${component} NAMESPACE taskstate:: DESTINATION "${package_dir}")
    list(JOIN part_REQUIRES " " part_REQUIRES)
    get_target_property(library ${target} OUTPUT_NAME)
    configure_file("${PROJECT_SOURCE_DIR}/cmake/taskstate.pc.in" "${PROJECT_BINARY_DIR}/${part_PC}.pc" @ONLY)
    install(FILES "${PROJECT_BINARY_DIR}/${part_PC}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endfunction()

set(core_requires libutf8proc)
if(TASKSTATE_DIGEST STREQUAL "openssl")
    list(APPEND core_requires libcrypto)
    set(core_definitions "")
else()
    set(core_definitions "-DTASKSTATE_DIGEST_HOST")
endif()
taskstate_install(core PC taskstate-core DESCRIPTION "State, engine and block of taskstate" REQUIRES ${core_requires})
if(TASKSTATE_CODEC)
    set(private "")
    set(core_definitions "")
    taskstate_install(taskstate PC taskstate DESCRIPTION "${PROJECT_DESCRIPTION}" REQUIRES taskstate-core)
endif()
if(TASKSTATE_SQLITE)
    taskstate_install(
        sqlite PC taskstate-sqlite DESCRIPTION "Tasks in one SQLite file" REQUIRES taskstate sqlite3
    )
endif()
if(TASKSTATE_POSTGRES)
    taskstate_install(
        postgres PC taskstate-postgres DESCRIPTION "Tasks in a PostgreSQL database" REQUIRES taskstate libpq
    )
endif()
if(TASKSTATE_COMMAND)
    install(TARGETS taskstate_command)
endif()

configure_package_config_file(
    cmake/taskstateConfig.cmake.in "${PROJECT_BINARY_DIR}/taskstateConfig.cmake" INSTALL_DESTINATION "${package_dir}"
)
# Before 1.0 a minor version may break, so only the same minor version will do.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/taskstateConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(
    FILES "${PROJECT_BINARY_DIR}/taskstateConfig.cmake"
          "${PROJECT_BINARY_DIR}/taskstateConfigVersion.cmake"
          "${PROJECT_SOURCE_DIR}/cmake/Findutf8proc.cmake"
    DESTINATION "${package_dir}"
)
