// W16: one task in one file, replaced as a whole.

#include "bench/fixture.hpp"
#include "bench/floors.hpp"
#include "bench/measure.hpp"
#include "bench/turns.hpp"
#include "store/temporary_folder.hpp"

#include <taskstate/store/snapshot_file.hpp>

#include <fcntl.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>

namespace taskstate::bench {
namespace {

void need(bool done) {
    if (!done) bug("the bench cannot write a file");
}

void sync_folder(const std::string& path) {
    const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY);
    need(folder >= 0 && ::fsync(folder) == 0);
    ::close(folder);
}

/// Whether the file that is replaced keeps a name of its own.
enum class Previous { lost, kept };

/// A file that is replaced durably, by hand.
class RawFile {
 public:
    RawFile(const test::TemporaryFolder& folder, const std::string& name)
        : folder_(folder.path()), path_(folder / name) {}

    void replace(const std::string& bytes, Previous previous) const {
        const std::string staged = path_ + ".tmp";
        const int file = ::open(staged.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        need(file >= 0 && ::write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
        need(::fsync(file) == 0 && ::close(file) == 0);
        if (previous == Previous::kept) {
            ::unlink((path_ + ".prev").c_str());
            ::link(path_.c_str(), (path_ + ".prev").c_str());  // but for the first time
        }
        need(::rename(staged.c_str(), path_.c_str()) == 0);
        sync_folder(folder_);
    }

 private:
    std::string folder_, path_;
};

void replacing(benchmark::State& state) {
    TaskState task = open_task(saved_task(100, Flavour::ascii));
    const Snapshot one = *task.snapshot();
    need(task.update({.resolve = {resolvable(saved_task(100, Flavour::ascii)).front()}}, task.revision()).has_value());
    const std::array states{one, *task.snapshot()};
    for (auto _ : state) {
        const test::TemporaryFolder folder;
        SnapshotFile file(folder / "task.json", wide_limits());
        need(file.save(states[1], std::nullopt).has_value());
        const std::string bytes = test::bytes_of(folder / "task.json");
        const RawFile raw(folder, "raw"), again(folder, "again"), kept(folder, "kept");
        Turns turns;
        turns.add("save",
                  [&](std::size_t i) { need(file.save(states[i % 2], states[(i + 1) % 2].revision()).has_value()); });
        turns.add("raw", [&](std::size_t) { raw.replace(bytes, Previous::lost); });
        turns.add("kept", [&](std::size_t) { kept.replace(bytes, Previous::kept); });
        turns.add("again", [&](std::size_t) { again.replace(bytes, Previous::lost); });
        turns.run(amount({.whole = 400, .quick = 20}));
        turns.report(state);
    }
}

void loading(benchmark::State& state) {
    const test::TemporaryFolder folder;
    const std::string path = folder / "task.json";
    SnapshotFile file(path, wide_limits());
    need(file.save(*open_task(saved_task(100, Flavour::ascii)).snapshot(), std::nullopt).has_value());
    for (auto _ : state) {
        Turns turns;
        turns.add("load", [&](std::size_t) { need(file.load().has_value()); });
        turns.add("raw", [&](std::size_t) {
            const std::string bytes = test::bytes_of(path);
            benchmark::DoNotOptimize(sha256_floor(bytes));
            benchmark::DoNotOptimize(nlohmann::json::parse(bytes));
        });
        turns.run(amount({.whole = 400, .quick = 20}));
        turns.report(state);
    }
}

[[maybe_unused]] const bool registered = [] {
    benchmark::RegisterBenchmark("store/snapshot_file/save", replacing)->Iterations(1);
    benchmark::RegisterBenchmark("store/snapshot_file/load", loading)->Iterations(1);
    return true;
}();

}  // namespace
}  // namespace taskstate::bench
