// The search over all modules, on the landing page: every word of the query is in the title, the module or the abstract.
const query = new URLSearchParams(location.search).get("q")?.trim() ?? "";

function rank(entry, words) {
    const title = entry.title.toLowerCase();
    const name = title.split("(")[0];
    let rank = 0;
    for (const word of words) {
        if (name === word) rank += 100;
        else if (name.startsWith(word)) rank += 40;
        else if (title.includes(word)) rank += 20;
        else if (entry.module.toLowerCase().includes(word) || entry.text.toLowerCase().includes(word)) rank += 5;
        else return 0;
    }
    return rank + (entry.kind === "article" ? 3 : 0) - entry.path.split("/").length;
}

async function search() {
    document.querySelector(".tidings-bar input").value = query;
    if (!query) return;
    const words = query.toLowerCase().split(/\s+/);
    const entries = await (await fetch("/search.json")).json();
    const found = entries.map(entry => [rank(entry, words), entry]).filter(([rank]) => rank > 0)
        .sort((a, b) => b[0] - a[0]).slice(0, 60);
    const results = document.getElementById("results");
    const heading = document.createElement("h2");
    heading.textContent = found.length ? `Results for “${query}”` : `Nothing found for “${query}”`;
    const list = document.createElement("ul");
    for (const [, entry] of found) {
        const item = document.createElement("li");
        const link = document.createElement("a");
        link.href = entry.path;
        link.textContent = entry.title;
        const details = document.createElement("small");
        details.textContent = ` ${entry.module}, ${entry.kind}`;
        const text = document.createElement("div");
        text.textContent = entry.text;
        item.append(link, details, text);
        list.append(item);
    }
    results.replaceChildren(heading, list);
    results.hidden = false;
    document.getElementById("content").hidden = true;
}

search();
