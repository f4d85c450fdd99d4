// The command line of the models, and the run of a case.
//
//   MODEL random:COUNT[@FIRST] | bound:SWITCHES | full   [NAME=VALUE ...]   [PROGRAM ...]
//
// `step=NAME:ORDER` makes the order of a step weaker, `mistake=NAME` plants a mistake, and `trace=1` prints the run that went wrong.
#pragma once

#include "words.hpp"

namespace command {
inline rl::test_params parameters;
inline bool isTraced = false;

inline rl::memory_order orderNamed(std::string const &name) {
    for (auto pair : {std::make_pair("relaxed", relaxed), std::make_pair("acquiring", acquiring), std::make_pair("releasing", releasing),
             std::make_pair("acquiringAndReleasing", acquiringAndReleasing)})
        if (name == pair.first) return pair.second;
    std::cerr << "no order is called " << name << "\n";
    std::exit(2);
}

inline void readSearch(std::string const &search) {
    std::string kind = search.substr(0, search.find(':'));
    std::string number = search.find(':') == std::string::npos ? "" : search.substr(search.find(':') + 1);
    parameters.execution_depth_limit = 20000;
    if (kind == "random") {
        parameters.search_type = rl::random_scheduler_type;
        std::size_t at = number.find('@');
        unsigned long long first = at == std::string::npos ? 1 : std::stoull(number.substr(at + 1));
        parameters.iteration_count = first + std::stoull(number) - 1;
        parameters.initial_state = rl::string((std::to_string(first) + " ").c_str());
        Word::mayFailStale = true;
    } else if (kind == "bound" || kind == "full") {
        parameters.search_type = kind == "full" ? rl::fair_full_search_scheduler_type : rl::fair_context_bound_scheduler_type;
        if (kind == "bound") parameters.context_bound = unsigned(std::stoul(number));
    } else {
        std::cerr << "no search is called " << search << "\n";
        std::exit(2);
    }
}

// Reads a setting that every model has. Returns false for any other name.
inline bool readOption(std::string const &name, std::string const &value) {
    static std::string kept[5];
    if (name == "step" && planted::count < 4) {
        std::size_t colon = value.rfind(':');
        kept[planted::count] = value.substr(0, colon);
        planted::steps[planted::count] = {kept[planted::count].c_str(), orderNamed(value.substr(colon + 1))};
        planted::count += 1;
    } else if (name == "mistake") {
        kept[4] = value;
        planted::mistake = kept[4].c_str();
    } else if (name == "trace") {
        isTraced = true;
    } else {
        return false;
    }
    return true;
}

// Runs the case and prints one line: the number of schedules, or what was found and in which schedule.
template <typename Suite>
int run() {
    // These streams use relacy's allocator, because they grow while relacy tracks allocations.
    rl::ostringstream output, progress;
    parameters.output_stream = isTraced ? static_cast<std::ostream *>(&std::cout) : &output;
    parameters.progress_stream = &progress;
    rl::simulate<Suite>(parameters);
    bool isPlanted = planted::count > 0 || *planted::mistake;
    if (isPlanted && !planted::wasMet && parameters.test_result == rl::test_result_success) {
        std::cout << "the planted mistake was never reached\n";
        return 2;
    }
    if (parameters.test_result == rl::test_result_success) {
        std::cout << parameters.stop_iteration << " schedules\n";
        return 0;
    }
    // relacy prints the history after the name of the error.
    std::istringstream lines(output.str().c_str());
    std::string line, what;
    while (std::getline(lines, line))
        if (what.empty() && line.find("(") != std::string::npos && line.find("USER") == 0) what = line;
    std::cout << "found in schedule " << parameters.stop_iteration << ": "
              << (what.empty() ? rl::test_result_str(parameters.test_result) : what.c_str()) << "\n";
    return 1;
}
}  // namespace command
