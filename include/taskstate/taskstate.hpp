#pragma once
// Everything public of core, codec and store.  Declares nothing itself.

#include <taskstate/base/digest.hpp>
#include <taskstate/base/error.hpp>
#include <taskstate/base/escape.hpp>
#include <taskstate/base/estimate.hpp>
#include <taskstate/base/json_writer.hpp>
#include <taskstate/base/result.hpp>
#include <taskstate/base/text.hpp>
#include <taskstate/base/time.hpp>
#include <taskstate/base/word.hpp>
#include <taskstate/model/input.hpp>
#include <taskstate/model/words.hpp>
#include <taskstate/prompt/spellings.hpp>
#include <taskstate/version.hpp>
