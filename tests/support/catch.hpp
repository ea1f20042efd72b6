#pragma once
// The one place where the tests include Catch2: version 2.13 (Debian 12) or 3 (Ubuntu 24.04).

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
