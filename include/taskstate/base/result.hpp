#pragma once
// A value or an `Error`, in the vocabulary of std::expected<T, Error>.

#include <taskstate/base/error.hpp>

#include <type_traits>
#include <utility>
#include <variant>

namespace taskstate::inline v0 {

/// A `T`, or why there is none.
///
/// Reading the wrong side is a programming error and aborts with a message.
/// Thread-safety: as `T`.
template <class T>
class [[nodiscard]] Result {
 public:
    using value_type = T;
    using error_type = Error;

    Result(T value) : either_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : either_(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool has_value() const noexcept { return either_.index() == 0; }
    [[nodiscard]] explicit operator bool() const noexcept { return has_value(); }

    [[nodiscard]] T& operator*() & { return value(); }
    [[nodiscard]] const T& operator*() const& { return value(); }
    [[nodiscard]] T&& operator*() && { return std::move(value()); }
    [[nodiscard]] T* operator->() { return &value(); }
    [[nodiscard]] const T* operator->() const { return &value(); }

    [[nodiscard]] T& value() & { return side<0>(either_, "Result holds an error, not a value"); }
    [[nodiscard]] const T& value() const& { return side<0>(either_, "Result holds an error, not a value"); }
    [[nodiscard]] T&& value() && { return std::move(value()); }
    [[nodiscard]] Error& error() & { return side<1>(either_, "Result holds a value, not an error"); }
    [[nodiscard]] const Error& error() const& { return side<1>(either_, "Result holds a value, not an error"); }
    [[nodiscard]] Error&& error() && { return std::move(error()); }

    template <class U>
    [[nodiscard]] T value_or(U&& fallback) const& {
        return has_value() ? value() : static_cast<T>(std::forward<U>(fallback));
    }
    template <class U>
    [[nodiscard]] T value_or(U&& fallback) && {
        return has_value() ? std::move(value()) : static_cast<T>(std::forward<U>(fallback));
    }

    /// `next(value)`, which gives another Result; the error passes through.
    template <class F>
    auto and_then(F&& next) && -> std::invoke_result_t<F, T&&> {
        if (!has_value()) return std::move(error());
        return std::forward<F>(next)(std::move(value()));
    }
    template <class F>
    auto and_then(F&& next) const& -> std::invoke_result_t<F, const T&> {
        if (!has_value()) return error();
        return std::forward<F>(next)(value());
    }

    /// `change(value)`, which cannot fail; the error passes through.
    template <class F>
    auto transform(F&& change) && -> Result<std::remove_cvref_t<std::invoke_result_t<F, T&&>>> {
        if (!has_value()) return std::move(error());
        return std::forward<F>(change)(std::move(value()));
    }
    template <class F>
    auto transform(F&& change) const& -> Result<std::remove_cvref_t<std::invoke_result_t<F, const T&>>> {
        if (!has_value()) return error();
        return std::forward<F>(change)(value());
    }

 private:
    template <std::size_t I, class Either>
    static auto& side(Either& either, const char* wrong) {
        auto* found = std::get_if<I>(&either);
        if (found == nullptr) bug(wrong);
        return *found;
    }

    std::variant<T, Error> either_;
};

/// Success without a value, or why not.
template <>
class [[nodiscard]] Result<void> {
 public:
    using value_type = void;
    using error_type = Error;

    Result() = default;
    Result(Error error) : error_(std::move(error)) {}

    [[nodiscard]] bool has_value() const noexcept { return !error_.has_value(); }
    [[nodiscard]] explicit operator bool() const noexcept { return has_value(); }
    [[nodiscard]] const Error& error() const& {
        if (!error_) bug("Result holds a value, not an error");
        return *error_;
    }
    [[nodiscard]] Error&& error() && {
        if (!error_) bug("Result holds a value, not an error");
        return std::move(*error_);
    }

    template <class F>
    auto and_then(F&& next) const -> std::invoke_result_t<F> {
        if (!has_value()) return *error_;
        return std::forward<F>(next)();
    }

 private:
    std::optional<Error> error_;
};

}  // namespace taskstate::inline v0
