# taskstate_test(<room> SOURCES <file>... [LINKS <library>...] [PROGRAMS <target>...])
#
# Makes the program test_<room>, which holds all tests of one room, and its entry in CTest.
# PROGRAMS are run by these tests, so they are built first.
function(taskstate_test room)
    cmake_parse_arguments(PARSE_ARGV 1 part "" "" "SOURCES;LINKS;PROGRAMS")
    # While the first tests are being written, a listed file may be missing.
    set(present "")
    foreach(file IN LISTS part_SOURCES)
        if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${file}")
            list(APPEND present "${file}")
        endif()
    endforeach()
    if(NOT present)
        return()
    endif()
    add_executable(test_${room} ${present})
    target_link_libraries(test_${room} PRIVATE taskstate_test_support ${part_LINKS})
    set_target_properties(test_${room} PROPERTIES CXX_EXTENSIONS OFF RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
    if(part_PROGRAMS)
        add_dependencies(test_${room} ${part_PROGRAMS})
    endif()
    add_test(NAME ${room} COMMAND test_${room})
endfunction()
