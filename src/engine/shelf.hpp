#pragma once
// Looking things up for the judge, with an answer that helps where there is nothing.

#include <taskstate/base/result.hpp>
#include <taskstate/model/entry_list.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace taskstate::inline v0 {

/// Some ids that would have been valid, and how many there are.
///
/// Thread-safety: value; lives as long as what the ids were read from.
struct Valid {
    Valid(std::vector<std::string_view> some, std::size_t all) : first(std::move(some)), count(all) {}
    explicit Valid(std::vector<std::string_view> all) : first(std::move(all)), count(first.size()) {}

    std::vector<std::string_view> first;
    std::size_t count;
};

/// The ids of entries that may be pruned.
[[nodiscard]] Valid past_of(const EntryList& list);

/// `error` with the ids that would have been valid.
[[nodiscard]] Error naming(Error error, std::string_view what, const Valid& ids);

/// A list that is looked into by id, and the reason and word for an id that it does not hold.
///
/// Thread-safety: confined.
struct Shelf {
    EntryList& list;
    Reason unknown{};
    std::string_view plural{};

    [[nodiscard]] Result<std::size_t> find(std::string_view id, std::string path) const;
};

}  // namespace taskstate::inline v0
