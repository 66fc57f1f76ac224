# What sshd starts for each guest (ForceCommand). Change the paths, and the address of nginx.

# nginx limits the requests of each address. A guest cannot set this.
export BLOCKGLASS_CLIENT="${SSH_CONNECTION%% *}"

# The characters of a guest whose client sends no locale.
export LANG="${LANG:-C.UTF-8}"

# Memory that was freed goes back to the system at once: 50 guests then need 2 GB, else 3.5.
export MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=32768 MALLOC_TRIM_THRESHOLD_=32768

exec /usr/bin/node --max-semi-space-size=1 --optimize-for-size --max-lazy --no-opt --no-maglev \
  /opt/blockglass/dist/start.js --guest --node http://127.0.0.1:3009
