#pragma once
// The block a model sees: bounded, byte-stable, fenced, never cut.

#include <taskstate/base/digest.hpp>
#include <taskstate/model/profile.hpp>
#include <taskstate/model/snapshot.hpp>
#include <taskstate/prompt/message.hpp>
#include <taskstate/prompt/spellings.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace taskstate::inline v0 {

/// The name of the grammar that a block is written in.
inline constexpr std::string_view block_format = "taskstate.block/1";

/// Counts tokens as the host's model does.  Called for each line of a block, without a lock.
///
/// Thread-safety: implementations are called from the threads that ask for a prompt.
class TokenCounter {
 public:
    virtual ~TokenCounter() = default;
    virtual std::string_view name() const = 0;
    virtual std::size_t count(std::string_view line) = 0;
};

/// What one request allows.
struct PromptOptions {
    std::optional<std::size_t> bytes_max{}, tokens_max{};
    std::shared_ptr<TokenCounter> counter{};  ///< absent: the built-in estimate
    std::shared_ptr<const ControlSpellings> spellings{};
};

/// The text of a block, and what the next one takes over from it.
struct BlockText {
    /// Where a line of an entry stands; `tokens` is counted only where the entry's own number does not hold.
    struct Line {
        std::uint32_t begin = 0, size = 0, tokens = 0;
    };
    std::string text{};
    std::size_t tokens = 0;
    std::vector<std::string_view> omitted{};  ///< drop names, in library order
    std::vector<Line> lines{};                ///< by place of the entry, not in the order of the text
    std::size_t passes = 0;                   ///< how often the records were written for it
};

/// One rendered block; a cheap handle, immutable.
///
/// Thread-safety: value.
/// Source: docs/block.md.
class Block {
 public:
    [[nodiscard]] const std::string& text() const& { return data_->content.text; }
    void text() const&& = delete;
    [[nodiscard]] std::size_t bytes() const { return data_->content.text.size(); }
    [[nodiscard]] std::size_t tokens() const { return data_->content.tokens; }
    /// Drop names of what was left out, in library order.
    [[nodiscard]] std::span<const std::string_view> omitted() const { return data_->content.omitted; }
    [[nodiscard]] const Snapshot& snapshot() const& { return data_->snapshot; }
    [[nodiscard]] Generation generation() const { return data_->generation; }
    /// The 16 hex digits that mark the genuine block of this task.
    [[nodiscard]] const std::string& key() const& { return data_->key; }
    /// Those that did so under secrets that no longer sign: blocks with them are older ones.
    [[nodiscard]] const std::vector<std::string>& retired_keys() const& { return data_->retired_keys; }
    [[nodiscard]] const BlockText& content() const& { return data_->content; }
    /// SHA-256 of `text()`.
    [[nodiscard]] Digest sha256() const;

    friend bool operator==(const Block& a, const Block& b) { return a.data_ == b.data_ || a.text() == b.text(); }
    /// Whether both handles lead to the very same object.
    [[nodiscard]] bool same_object(const Block& other) const noexcept { return data_ == other.data_; }

    struct Data {
        BlockText content{};
        std::string key{};
        std::vector<std::string> retired_keys{};
        Snapshot snapshot{};
        Generation generation{};
        KeptDigest digest{};
    };
    explicit Block(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

 private:
    std::shared_ptr<const Data> data_;
};

/// A key of the host that marks its blocks.
struct Secret {
    std::string bytes{};
};

/// The key of a task's blocks: HMAC-SHA-256 of scope and task under the first secret, SHA-256 without one.
[[nodiscard]] std::string block_key(const Identity& identity, std::span<const Secret> secrets);

/// Those that the other secrets sign with: keys of older blocks.
[[nodiscard]] std::vector<std::string> retired_keys(const Identity& identity, std::span<const Secret> secrets);

/// What the block is, for the system prompt; constant for a task and its first secret.
[[nodiscard]] std::string render_preamble(std::string_view key);

/// The block of `snapshot`; also the preview of a candidate that `apply` returned.
///
/// Errors: `prompt_budget_exceeded` with the bound and the needed size when the mandatory records do not fit.
/// Bounds: sizes are summed before anything is rendered; one render, none when it is withheld.  Under a budget a
///         counter or spellings ask for one more, whose lines are measured.
/// Thread-safety: pure but for `options.counter`.
[[nodiscard]] Result<Block> render(const Snapshot& snapshot, const Profile& profile, std::string_view key,
                                   const PromptOptions& options = {}, Generation generation = {},
                                   std::vector<std::string> retired_keys = {});

/// The record lines of one entry, each with its line feed, as a tool result may show them.
[[nodiscard]] std::string render_record(const Entry& entry, Spellings spellings = {});

/// What a reader of `from` must learn to know `to`: the records that are new or changed, what is gone, and the status
/// line.
///
/// Source: docs/block.md, "What changed".
[[nodiscard]] std::string render_changes(const Snapshot& from, const Snapshot& to, Spellings spellings = {});

/// `messages` with the older blocks of this key removed from `system` and `developer` messages and `block` as the last
/// text part of the last such message; without one, as a new first `system` message.
[[nodiscard]] std::vector<Message> attach(const Block& block, std::span<const Message> messages);

/// Whether the exact block stands in the request once, in an allowed role.
///
/// Errors: `block_missing`, `block_altered`, `block_duplicated`, `block_wrong_role`, `old_block_present`; paths
///         `/i/parts/j`.
[[nodiscard]] Result<void> verify_placement(const Block& block, std::span<const Message> messages,
                                            const DispatchRules& rules);

}  // namespace taskstate::inline v0
