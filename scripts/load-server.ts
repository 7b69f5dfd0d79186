/** Loads what the server is made of, and ends: whoever starts next finds its types stripped already. */
import '../packages/server/src/run-server.ts';
