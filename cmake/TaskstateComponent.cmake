# taskstate_component(<name> SOURCES <file>... HEADERS <file>...)
#
# Makes the library taskstate::<name>.  Sources lie in the current folder, headers in include/taskstate.
# Static or shared, as BUILD_SHARED_LIBS says.
function(taskstate_component name)
    cmake_parse_arguments(PARSE_ARGV 1 part "" "" "SOURCES;HEADERS")
    list(TRANSFORM part_HEADERS PREPEND "${PROJECT_SOURCE_DIR}/include/taskstate/")
    set(target taskstate_${name})
    add_library(${target} ${part_SOURCES})
    add_library(taskstate::${name} ALIAS ${target})
    target_sources(
        ${target}
        PUBLIC FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/include" FILES ${part_HEADERS}
    )
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src")
    target_compile_features(${target} PUBLIC cxx_std_20)
    set_target_properties(
        ${target}
        PROPERTIES CXX_EXTENSIONS OFF
                   EXPORT_NAME ${name}
                   VERIFY_INTERFACE_HEADER_SETS ${PROJECT_IS_TOP_LEVEL}
                   VERSION ${PROJECT_VERSION}
                   SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    )
endfunction()

# taskstate_program(<target> NAME <name> SOURCES <file>... LINKS <library>...)
#
# Makes a program of that name in bin/ of the build folder.
function(taskstate_program target)
    cmake_parse_arguments(PARSE_ARGV 1 part "" "NAME" "SOURCES;LINKS")
    add_executable(${target} ${part_SOURCES})
    target_link_libraries(${target} PRIVATE ${part_LINKS})
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src")
    set_target_properties(
        ${target}
        PROPERTIES CXX_EXTENSIONS OFF OUTPUT_NAME ${part_NAME} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin"
    )
endfunction()
