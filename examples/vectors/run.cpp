// Runs posenc-vectors in C++: g++ -std=c++17 -O2 run.cpp -o run && ./run FOLDER
//
// rotary.hpp and tables.hpp compute the outputs; put your own code in their place. A case passes if
// each of its right outputs is within the tolerance, and each mutant, the output of a slip, is not.
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>
#include "tables.hpp"

std::string content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream whole;
    whole << file.rdbuf();
    return whole.str();
}

// The numbers of one tensor of a safetensors file, as one long row.
template <class Number> Row tensor(const std::string& file, const std::string& name) {
    uint64_t length;
    std::memcpy(&length, file.data(), 8); // a little-endian machine
    const std::string header = file.substr(8, length);
    Row offsets = Reader(header).read()[name]["data_offsets"].numbers();
    std::vector<Number> numbers((offsets[1] - offsets[0]) / sizeof(Number));
    std::memcpy(numbers.data(), file.data() + 8 + length + size_t(offsets[0]), numbers.size() * sizeof(Number));
    return Row(numbers.begin(), numbers.end());
}

// The rows of an array at a place: where it begins, and its two axes.
Rows part(const Row& numbers, const Json& place) {
    Rows made;
    size_t begin = place[0].value, height = place[1].value, width = place[2].value;
    for (size_t i = 0; i < height; i++) {
        auto first = numbers.begin() + begin + i * width;
        made.emplace_back(first, first + width);
    }
    return made;
}

Outputs outputs(const Json& one, const Row& numbers) {
    const std::string& kind = one["kind"].words;
    if (kind == "sinusoidal") return sinusoidal(one);
    if (kind == "grid") return grid(one);
    if (kind == "alibi") return alibi(one);
    if (kind == "t5") return t5(one);
    return rotated(one, part(numbers, one["input"]["q"]), part(numbers, one["input"]["k"]));
}

// Whether each row is within its tolerance.
bool agrees(const Rows& mine, const Rows& expected, const Row& tolerance, bool relative) {
    for (size_t i = 0; i < expected.size(); i++)
        for (size_t j = 0; j < expected[i].size(); j++) {
            double value = expected[i][j], allowed = tolerance[i] * (relative ? std::abs(value) : 1);
            if (!(std::abs(mine.at(i).at(j) - value) <= allowed)) return false;
        }
    return true;
}

int main(int, char** arguments) {
    const std::string folder = arguments[1], text = content(folder + "/cases.json");
    const std::string arrays = content(folder + "/arrays.safetensors");
    const Row doubles = tensor<double>(arrays, "float64"), singles = tensor<float>(arrays, "float32");
    const Json held = Reader(text).read();
    std::map<std::string, bool> relative;
    for (auto& name : held["relative"].items) relative[name.words] = true;
    size_t mutants = 0, failed = 0;
    for (auto& one : held["cases"].items) {
        Outputs mine = outputs(one, doubles);
        std::string found;
        for (auto& name : one["output"].names) {
            Row tolerance = one["tolerance"]["float64"][name].numbers();
            if (!agrees(mine[name], part(doubles, one["output"][name]), tolerance, relative[name]))
                found += " " + name + " is wrong;";
        }
        for (auto& mutant : one["mutants"].items) {
            const std::string& name = mutant["output"].words;
            Row tolerance = one["tolerance"]["float32"][name].numbers();
            if (agrees(mine[name], part(singles, mutant["values"]), tolerance, relative[name]))
                found += " accepts a mutant: " + mutant["words"].words + ";";
        }
        mutants += one["mutants"].size(), failed += !found.empty();
        std::cout << (found.empty() ? "pass " : "FAIL ") << one["name"].words << found << "\n";
    }
    std::cout << held["cases"].size() << " cases, " << mutants << " mutants, " << failed << " failed\n";
    return failed > 0;
}
