# taskstate_test(<room> SOURCES <file>... [LINKS <library>...] [PROGRAMS <target>...])
#
# Makes the program test_<room>, which holds all tests of one room, and its entry in CTest.
# PROGRAMS are run by these tests, so they are built first and their folder is told.
#
# Where the core has options of its own, its tests, which link nothing else, are compiled with them too.  Properties are
# not, as rapidcheck needs exceptions and RTTI: they become the program test_<room>_properties, which drives the core
# from outside.
function(taskstate_test room)
    cmake_parse_arguments(PARSE_ARGV 1 part "" "" "SOURCES;LINKS;PROGRAMS")
    if(TASKSTATE_CORE_OPTIONS AND NOT part_LINKS)
        set(properties ${part_SOURCES})
        list(FILTER properties INCLUDE REGEX "[.]properties[.]test[.]cpp$")
        if(properties)
            list(REMOVE_ITEM part_SOURCES ${properties})
            taskstate_test_program(${room}_properties taskstate_test_main SOURCES ${properties})
        endif()
        taskstate_test_program(${room} taskstate_test_main_like_core SOURCES ${part_SOURCES})
        target_compile_options(test_${room} PRIVATE ${TASKSTATE_CORE_OPTIONS})
    else()
        taskstate_test_program(${room} taskstate_test_main SOURCES ${part_SOURCES} LINKS ${part_LINKS})
    endif()
    if(part_PROGRAMS)
        add_dependencies(test_${room} ${part_PROGRAMS})
        target_compile_definitions(test_${room} PRIVATE TASKSTATE_PROGRAM_DIR="${PROJECT_BINARY_DIR}/bin")
    endif()
endfunction()

# taskstate_test_program(<name> <main> SOURCES <file>... LINKS <library>...): one program of tests and its entry in CTest.
function(taskstate_test_program name main)
    cmake_parse_arguments(PARSE_ARGV 2 part "" "" "SOURCES;LINKS")
    taskstate_program(
        test_${name}
        NAME test_${name}
        SOURCES ${part_SOURCES}
        LINKS ${main} taskstate_test_support ${part_LINKS}
    )
    # Tests of one room may use the same names, each in its own file.
    set_target_properties(test_${name} PROPERTIES UNITY_BUILD OFF)
    if(TASKSTATE_PRECOMPILE)
        # What most tests include is compiled for the first program that has the same options, and serves the others.
        get_target_property(first ${main} TASKSTATE_FIRST_PROGRAM)
        if(first)
            target_precompile_headers(test_${name} REUSE_FROM ${first})
        else()
            set_target_properties(${main} PROPERTIES TASKSTATE_FIRST_PROGRAM test_${name})
            target_precompile_headers(
                test_${name}
                PRIVATE
                    "${PROJECT_SOURCE_DIR}/tests/support/catch.hpp"
                    "${PROJECT_SOURCE_DIR}/include/taskstate/service/task_service.hpp"
                    "${PROJECT_SOURCE_DIR}/include/taskstate/task/task_state.hpp"
            )
        endif()
    endif()
    add_test(NAME ${name} COMMAND test_${name})
endfunction()

# taskstate_test_main(<target> SOURCES <file>... [OPTIONS <option>...]): the main function of test programs.
function(taskstate_test_main target)
    cmake_parse_arguments(PARSE_ARGV 1 part "" "" "SOURCES;OPTIONS")
    add_library(${target} STATIC ${part_SOURCES})
    target_link_libraries(${target} PRIVATE taskstate_test_support)
    target_compile_options(${target} PRIVATE ${part_OPTIONS})
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF UNITY_BUILD OFF)
endfunction()
