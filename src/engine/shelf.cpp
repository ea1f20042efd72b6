#include "engine/shelf.hpp"

#include <taskstate/base/escape.hpp>

#include <algorithm>
#include <utility>

namespace taskstate::inline v0 {
namespace {

constexpr std::size_t named_max = 8;

Valid all_of(const EntryList& list) {
    std::vector<std::string_view> first;
    for (std::size_t i = 0; i < std::min(named_max, list.size()); ++i) first.push_back(list[i].id());
    return {std::move(first), list.size()};
}

}  // namespace

Valid past_of(const EntryList& list) { return {list.past_ids(named_max), list.past_count()}; }

Error naming(Error error, std::string_view what, const Valid& ids) {
    error.message += ids.count == 0 ? "; there are no " : "; ";
    error.message += what;
    for (std::size_t i = 0; i < std::min(named_max, ids.first.size()); ++i) {
        error.message += i == 0 ? ": " : ", ";
        append_word(error.message, ids.first[i]);  // a Ref may hold anything
    }
    if (ids.count > named_max) error.message += ", and " + std::to_string(ids.count - named_max) + " more";
    return error;
}

Result<std::size_t> Shelf::find(std::string_view id, std::string path) const {
    if (const auto index = list.find(id)) return *index;
    return naming(fail(unknown, std::move(path)), plural, all_of(list));
}

}  // namespace taskstate::inline v0
