// Rotary encodings in plain C++, in one coordinate or several.
#pragma once
#include <algorithm>
#include <cmath>
#include "json.hpp"

using Row = std::vector<double>;
using Rows = std::vector<Row>;
using Outputs = std::map<std::string, Rows>;
const double pi = 3.14159265358979323846;

struct Turning { // of each pair: its coordinate and its frequency
    std::vector<int> axes;
    Row frequencies;
    double attention = 1;
};

inline double clip(double x) { return std::min(std::max(x, 0.0), 1.0); }

inline Row progression(double base, int width) {
    Row made;
    for (int i = 0; i < width / 2; i++) made.push_back(1 / std::pow(base, 2.0 * i / width));
    return made;
}

inline Turning scaled(const Json& o) {
    double base = o["base"].value, length = o.get("length", 0);
    int d = o["rotary_dim"].value;
    Row w = progression(base, d);
    if (!o.has("scaling")) return {{}, w};
    const Json& s = o["scaling"];
    const std::string& type = s["type"].words;
    double factor = s.get("factor", 1), old = s.get("original_max_position_embeddings", 1);
    double trained = s.get("max_position_embeddings", 1), ratio = std::max(length, trained) / trained;
    double attention = 1;
    if (type == "dynamic") factor = factor * ratio - (factor - 1);
    if (type == "stepped") factor = std::pow(2, std::ceil(std::log2(2 * ratio))) - 1;
    if (type == "ntk" || type == "dynamic" || type == "stepped")
        return {{}, progression(base * std::pow(factor, d / (d - 2.0)), d)};
    bool is_long = length > old;
    double ends[2];
    if (type == "yarn") {
        for (int i = 0; i < 2; i++) {
            double beta = i ? s.get("beta_slow", 1) : s.get("beta_fast", 32);
            ends[i] = d * std::log(old / (beta * 2 * pi)) / (2 * std::log(base));
            if (s.get("truncate", 1)) ends[i] = i ? std::ceil(ends[i]) : std::floor(ends[i]);
        }
        ends[0] = std::max(ends[0], 0.0), ends[1] = std::min(ends[1], d - 1.0);
        if (ends[0] == ends[1]) ends[1] += 0.001;
        double warmth = 0.1 * std::log(std::max(factor, 1.0));
        attention = (s.get("mscale", 1) * warmth + 1) / (s.get("mscale_all_dim", 0) * warmth + 1);
        attention = s.get("attention_factor", attention);
    }
    if (type == "longrope") {
        attention = factor > 1 ? std::sqrt(1 + std::log(factor) / std::log(old)) : 1;
        attention = s.get("attention_factor", attention);
        attention = s.get(is_long ? "long_mscale" : "short_mscale", attention);
    }
    for (int i = 0; i < d / 2; i++) {
        double kept = 0, by = factor; // the part that keeps its frequency; the rest is divided
        if (type == "llama3") {
            double low = s["low_freq_factor"].value, high = s["high_freq_factor"].value;
            double wide = high == low ? 1e-9 : high - low;
            kept = clip((old * w[i] / (2 * pi) - low) / wide);
        }
        if (type == "yarn") kept = 1 - clip((i - ends[0]) / (ends[1] - ends[0]));
        if (type == "longrope") by = s[is_long ? "long_factor" : "short_factor"][i].value;
        bool still = type == "proportional" && i >= int(s["partial_rotary_factor"].value * d / 2);
        w[i] = still ? 0 : w[i] * kept + w[i] / by * (1 - kept);
    }
    return {{}, w, attention};
}

inline Turning turning(const Json& o) {
    const std::string rule = o.has("rule") ? o["rule"].words : "";
    int d = o["rotary_dim"].value, n = d / 2, half = n / 2;
    double base = o.get("base", 1);
    Turning made;
    if (rule == "" || rule == "sections" || rule == "interleaved") made = scaled(o);
    Row counts = o.has("pairs") ? o["pairs"].numbers() : Row{double(n)};
    if (rule == "blocks") counts = o["dims"].numbers();
    for (int a = 0; a < int(counts.size()); a++) {
        if (rule == "blocks")
            for (double w : progression(base, counts[a])) made.frequencies.push_back(w);
        for (int i = 0; i < counts[a] / (rule == "blocks" ? 2 : 1); i++) made.axes.push_back(a);
    }
    int count = counts.size();
    for (int j = 0; j < n && rule == "interleaved"; j++)
        made.axes[j] = j < count * counts[j % count] ? j % count : 0;
    if (rule == "" || rule == "sections" || rule == "interleaved" || rule == "blocks") return made;
    made.axes.clear();
    for (int i = 0; i < n; i++) {
        bool turns = rule == "alternate", three = rule == "ltx";
        int axis = three ? i % 3 : turns ? i % 2 : i / half;
        double j = three ? i / 3 : turns ? i / 2 : i % half, w = std::pow(base, -2.0 * j / n);
        if (rule == "pixtral") w = std::pow(base, -(4.0 * j + 2 * axis) / d);
        if (rule == "dinov3") w *= 2 * pi;
        if (three) w = pi / 2 * std::pow(base, j / std::max(n / 3 - 1, 1));
        if (rule == "pixels") w = pi * (1 + j / std::max(half - 1, 1) * (o["max_freq"].value / 2 - 1));
        made.axes.push_back(axis), made.frequencies.push_back(w);
    }
    return made;
}

inline Outputs rotated(const Json& one, const Rows& q, const Rows& k) {
    const Json &o = one["options"], &positions = one["positions"];
    Turning how = turning(o);
    int n = how.axes.size(), rows = positions.size();
    Rows cos(rows, Row(n)), sin = cos;
    Rows turned[2] = {q, k};
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < n; i++) {
            double angle = positions[r][how.axes[i]].value * how.frequencies[i];
            cos[r][i] = how.attention * std::cos(angle), sin[r][i] = how.attention * std::sin(angle);
            bool halves = o.is("layout", "halves");
            int a = halves ? i : 2 * i, b = halves ? i + n : 2 * i + 1;
            for (Rows& x : turned) {
                double x1 = x[r][a], x2 = x[r][b];
                x[r][a] = x1 * cos[r][i] - x2 * sin[r][i], x[r][b] = x1 * sin[r][i] + x2 * cos[r][i];
            }
        }
    Outputs made = {{"frequencies", {how.frequencies}}, {"attention_factor", {{how.attention}}},
                    {"cos", cos}, {"sin", sin}, {"q", turned[0]}, {"k", turned[1]}};
    if (!o.has("score")) return made;
    const Json& score = o["score"];
    double warmth = 0.1 * score.get("mscale", 0) * std::log(score.get("factor", 1)) + 1;
    double root = std::sqrt(score["width"].value), scale = score.get("scale", warmth * warmth / root);
    made["score_scale"] = {{scale}}, made["score_factor"] = {{scale * root}};
    Rows& scores = made["scores"] = Rows(rows, Row(rows));
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++)
            for (size_t f = 0; f < q[0].size(); f++) scores[i][j] += scale * turned[0][i][f] * turned[1][j][f];
    return made;
}
