// Node 24 has no built-in Temporal yet.
import 'temporal-polyfill/global';
