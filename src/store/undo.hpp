#pragma once
// How a batch is all or nothing in memory.

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace taskstate::inline v0 {

/// Changes containers, and takes everything back, last first, unless it is kept.
///
/// Each change is noted before it happens, and to take it back needs no memory; so nothing is left of a batch that was
/// refused, or that ran out of memory.
/// Bounds: costs what the changes hold.
/// Thread-safety: confined.
class Undo {
 public:
    Undo() = default;
    Undo(const Undo&) = delete;
    Undo& operator=(const Undo&) = delete;
    ~Undo() {
        for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) (*step)();
    }
    void keep() noexcept { steps_.clear(); }

    /// A key that the set does not have yet.
    template <class Set>
    void insert(Set& set, typename Set::key_type key) {
        steps_.push_back([&set, key] { set.erase(key); });
        set.insert(std::move(key));
    }
    /// A key that the map does not have yet.
    template <class Map>
    typename Map::mapped_type& insert(Map& map, typename Map::key_type key, typename Map::mapped_type value) {
        steps_.push_back([&map, key] { map.erase(key); });
        return map.emplace(std::move(key), std::move(value)).first->second;
    }
    template <class Container>
    void erase(Container& container, const typename Container::key_type& key) {
        const auto gone = std::make_shared<typename Container::node_type>();
        steps_.push_back([&container, gone] { container.insert(std::move(*gone)); });
        *gone = container.extract(key);
    }
    template <class List>
    void append(List& list, typename List::value_type value) {
        steps_.push_back([&list, size = list.size()] { list.resize(size); });
        list.push_back(std::move(value));
    }
    template <class Value>
    void assign(Value& place, Value value) {
        steps_.push_back([&place, before = place]() mutable { place = std::move(before); });
        place = std::move(value);
    }

 private:
    std::vector<std::function<void()>> steps_{};
};

}  // namespace taskstate::inline v0
