// The engine: lanes, rosters, reclamation and drains.
//
//   engine SEARCH [lanes=N] [chunk=N] [old=N] [fence=0] ... PROGRAM PROGRAM ... [in-call:N=PROGRAM]
//
// A program is the sequence of actions of one thread, such as `post,cancel0`:
//
//   post, postS         posts without a sender, or from a sender
//   add, addS, watchS   adds an observer of every sender, an observer of one sender, or a watched observer of one sender
//   cancelN, drainN     cancels an observer, or cancels and drains it
//   waitN               waits for the drain of an observer
//   end                 ends the thread, and begins a new one
//   finish              finishes the channel, and waits for its end except in a call
//   monitor1, monitor0  attaches or detaches a monitor
//   makeT, lookT, shut  makes a channel of a type, searches for it, or finishes the center
#include "engine.hpp"
#include "main.hpp"

template <int threads>
struct Suite : rl::test_suite<Suite<threads>, threads> {
    Engine engine;
    void before() { engine.before(); }
    void thread(unsigned index) { engine.thread(index); }
    void after() { engine.after(); }
};

static Program programOf(std::string const &text) {
    Program program;
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');) {
        std::size_t digits = word.find_first_of("0123456789");
        std::string name = word.substr(0, digits);
        unsigned entry = digits == std::string::npos ? 0 : unsigned(std::stoul(word.substr(digits)));
        if (name == "post") program.push_back({Action::post, entry});
        else if (name == "add") program.push_back({Action::add, entry});
        else if (name == "watch") program.push_back({Action::watch, entry});
        else if (name == "cancel") program.push_back({Action::cancel, entry});
        else if (name == "drain") program.push_back({Action::drain, entry});
        else if (name == "wait") program.push_back({Action::wait, entry});
        else if (name == "make") program.push_back({Action::make, entry});
        else if (name == "look") program.push_back({Action::look, entry});
        else if (name == "finish") program.push_back({Action::finish, entry});
        else if (name == "monitor") program.push_back({Action::monitor, entry});
        else if (name == "shut") program.push_back({Action::shut, entry});
        else if (name == "end") program.push_back({Action::end, entry});
        else std::cerr << "no action is called " << word << "\n", std::exit(2);
    }
    return program;
}

static bool readOption(std::string const &name, std::string const &value) {
    if (command::readOption(name, value)) return true;
    if (name.rfind("in-call:", 0) == 0) return Case::within[std::stoul(name.substr(8))] = programOf(value), true;
    unsigned number = unsigned(std::stoul(value));
    if (name == "lanes") Case::lanes = number;
    else if (name == "chunk") Chunk::capacity = number;
    else if (name == "old") Case::old = number;
    else if (name == "limited") Case::limited = number;
    else if (name == "foreign-lock") LockWord::isForeign = number;
    else if (name == "patience") Case::patience = number;
    else if (name == "fence") Case::hasFence = number;
    else if (name == "news") Case::hasNews = number;
    else if (name == "monitored") Case::isMonitored = number;
    else if (name == "warm") Case::isWarm = number;
    else if (name == "shared-home") Case::sharesHome = number;
    else if (name == "kernel") LockWord::isShort = !number;
    else return false;
    return true;
}

int main(int count, char **arguments) {
    if (count < 3) return std::cerr << "engine SEARCH [NAME=VALUE ...] PROGRAM ...\n", 2;
    command::readSearch(arguments[1]);
    unsigned threads = 0;
    for (int index = 2; index < count; index++) {
        std::string argument = arguments[index];
        std::size_t equals = argument.find('=');
        if (equals == std::string::npos) Case::threads[threads++] = programOf(argument);
        else if (!readOption(argument.substr(0, equals), argument.substr(equals + 1)))
            return std::cerr << "no option is called " << argument << "\n", 2;
    }
    bool isNamed[Channel::mostEntries] = {};
    for (Program const &program : Case::within)
        for (Action action : program)
            if (action.kind == Action::cancel) isNamed[action.entry] = true;
    for (Program const &program : Case::threads)
        for (Action action : program)
            if ((action.kind == Action::cancel || action.kind == Action::drain) && !isNamed[action.entry])
                Case::holders[action.entry]++;
    switch (threads) {
    case 1: return command::run<Suite<1>>();
    case 2: return command::run<Suite<2>>();
    case 3: return command::run<Suite<3>>();
    case 4: return command::run<Suite<4>>();
    case 5: return command::run<Suite<5>>();
    default: return std::cerr << "a case has one to five threads\n", 2;
    }
}
