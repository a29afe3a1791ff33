// A small reader of JSON: numbers, texts, lists and objects; enough for posenc-vectors.
#pragma once
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

struct Json {
    enum Kind { nothing, truth, number, text, list, object } kind = nothing;
    double value = 0;
    std::string words;
    std::vector<Json> items;
    std::vector<std::string> names;   // of an object, in the order of the file
    std::map<std::string, size_t> at; // where each name is in `items`

    bool has(const std::string& name) const { return at.count(name) && (*this)[name].kind != nothing; }
    const Json& operator[](const std::string& name) const {
        auto found = at.find(name);
        if (found == at.end()) throw std::runtime_error("there is no " + name);
        return items[found->second];
    }
    const Json& operator[](size_t i) const { return items.at(i); }
    size_t size() const { return items.size(); }
    double get(const std::string& name, double otherwise) const {
        return has(name) ? (*this)[name].value : otherwise;
    }
    bool is(const std::string& name, const std::string& wanted) const {
        return has(name) && (*this)[name].words == wanted;
    }
    std::vector<double> numbers() const {
        std::vector<double> found;
        for (auto& item : items) found.push_back(item.value);
        return found;
    }
};

class Reader {
    const std::string& source;
    size_t place = 0;

    char next() {
        while (std::isspace(static_cast<unsigned char>(source.at(place)))) place++;
        return source[place];
    }
    bool took(char wanted) { return next() == wanted && ++place; }
    std::string quoted() {
        std::string found;
        next();
        for (place++; source.at(place) != '"'; place++) {
            if (source[place] == '\\') place++; // escapes stand for themselves here
            found += source[place];
        }
        place++;
        return found;
    }

public:
    explicit Reader(const std::string& given) : source(given) {}

    Json read() {
        Json made;
        char first = next();
        if (first == '{' || first == '[') {
            made.kind = first == '{' ? Json::object : Json::list;
            char last = first == '{' ? '}' : ']';
            place++;
            while (!took(last)) {
                if (made.kind == Json::object) {
                    made.names.push_back(quoted());
                    made.at[made.names.back()] = made.items.size();
                    took(':');
                }
                made.items.push_back(read());
                took(',');
            }
        } else if (first == '"') {
            made.kind = Json::text;
            made.words = quoted();
        } else if (first == 't' || first == 'f' || first == 'n') {
            made.kind = first == 'n' ? Json::nothing : Json::truth;
            made.value = first == 't';
            place += first == 'f' ? 5 : 4;
        } else {
            char* end;
            made.kind = Json::number;
            made.value = std::strtod(source.c_str() + place, &end);
            place = end - source.c_str();
        }
        return made;
    }
};
