// Node 24 has no Temporal of its own yet.
import 'temporal-polyfill/global';
