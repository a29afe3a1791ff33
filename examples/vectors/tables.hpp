// Sinusoidal tables, grids, ALiBi and T5's buckets in plain C++.
#pragma once
#include "rotary.hpp"

inline Row speeds(const Json& o) {
    Row made;
    double over = o["spread"].value / 2 - o["freq_shift"].value;
    for (int i = 0; i < o["pairs"].value; i++)
        made.push_back(o["angle_scale"].value * std::pow(o["base"].value, -i / over));
    return made;
}

inline Row waves(double place, const Json& o) {
    double height = o["amplitude"].value * std::pow(o["width"].value, o["amplitude_power"].value);
    Row w = speeds(o), made(std::max<size_t>(2 * w.size(), o["columns"].value));
    for (size_t i = 0; i < w.size(); i++) {
        bool halves = o.is("arrangement", "halves"), sines = o.is("order", "sin_first");
        size_t first = halves ? i : 2 * i, second = halves ? i + w.size() : 2 * i + 1;
        made[sines ? first : second] = height * std::sin(place * w[i]);
        made[sines ? second : first] = height * std::cos(place * w[i]);
    }
    made.resize(o["columns"].value);
    return made;
}

inline Outputs sinusoidal(const Json& one) {
    Outputs made = {{"frequencies", {speeds(one["options"])}}};
    for (auto& place : one["positions"].items)
        made["table"].push_back(waves(place[0].value, one["options"]));
    return made;
}

inline Outputs grid(const Json& one) {
    const Json& o = one["options"];
    Rows along;
    for (int axis = 0; axis < 2; axis++) {
        int size = o[axis ? "grid_width" : "height"].value;
        Row places;
        for (int i = 0; i < size; i++)
            places.push_back((o["start"].value + i) * o["spacing"][axis].value);
        double last = places.back() + 1e-6;
        for (double& place : places)
            if (o["normalized"].value) place = place / last * 2 * pi;
        along.push_back(places);
    }
    Outputs made;
    bool rows = o.is("listed", "rows");
    size_t outer = along[rows ? 0 : 1].size(), inner = along[rows ? 1 : 0].size();
    for (size_t i = 0; i < outer * inner; i++) {
        double y = along[0][rows ? i / inner : i % inner], x = along[1][rows ? i % inner : i / inner];
        bool first = o.is("axes", "yx");
        Row one = waves(first ? y : x, o), two = waves(first ? x : y, o), row;
        int parts = o.is("blocks", "axes") ? 1 : o.is("blocks", "kinds") ? 2 : o["pairs"].value;
        int size = one.size() / parts;
        for (int part = 0; part < parts; part++)
            for (const Row& half : {one, two})
                row.insert(row.end(), half.begin() + part * size, half.begin() + (part + 1) * size);
        made["table"].push_back(row);
    }
    return made;
}

inline Outputs alibi(const Json& one) {
    int heads = one["options"]["heads"].value, length = one["options"]["length"].value, whole = 1;
    while (2 * whole <= heads) whole *= 2;
    Outputs made = {{"slopes", {{}}}};
    for (int h = 0; h < heads; h++) {
        double power = h < whole ? 8.0 * (h + 1) / whole : 4.0 * (2 * (h - whole) + 1) / whole;
        double slope = std::pow(2, -power);
        Row bias;
        for (int key = 0; key < length; key++) bias.push_back(-slope * (length - 1 - key));
        made["slopes"][0].push_back(slope), made["bias"].push_back(bias);
    }
    return made;
}

inline Outputs t5(const Json& one) {
    const Json& o = one["options"];
    bool both = o["bidirectional"].value;
    int side = o["buckets"].value / (both ? 2 : 1), near = side / 2;
    Row found;
    for (auto& place : one["positions"].items) {
        double offset = place[0].value, far = both ? std::abs(offset) : std::max(-offset, 0.0);
        int upper = both && offset > 0 ? side : 0;
        double share = std::log(std::max(far, 1.0) / near) / std::log(o["max_distance"].value / near);
        double wide = std::min(near + std::floor(share * (side - near) + 1e-9), side - 1.0);
        found.push_back(upper + (far < near ? far : wide));
    }
    return {{"buckets", {found}}};
}
