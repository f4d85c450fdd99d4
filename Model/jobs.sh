# Runs commands in parallel, as many as there are processors, each in its own folder. Sourced by Model/check.

jobs_folder=$(mktemp -d)
jobs_count=0
trap 'rm -rf "$jobs_folder"' EXIT

# start COMMAND...: starts a command as soon as a processor is free. `finish` prints the output of all commands in this order.
start() {
    while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n || true; done
    jobs_count=$((jobs_count + 1))
    local folder
    folder=$jobs_folder/$(printf %03d $jobs_count)
    mkdir "$folder"
    (cd "$folder" && "$@") >"$folder/printed" 2>&1 || touch "$folder/failed" &
}

# finish: waits for all commands, prints their output, and fails if one of them failed.
finish() {
    local folder failed=0
    wait
    for folder in "$jobs_folder"/[0-9]*; do
        cat "$folder/printed"
        if [ -e "$folder/failed" ]; then failed=1; fi
    done
    return $failed
}
