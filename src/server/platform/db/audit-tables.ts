// The tables that prove the audit log: its rows in the order in which they were sealed, each with a hash over the one before.
import { bigint, customType, pgTable } from 'drizzle-orm/pg-core';

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
const whole = (name: string) => bigint(name, { mode: 'bigint' });

/** Written by `seal_audit` of the migrations alone. Rows are never changed. */
export const auditChain = pgTable('audit_chain', {
  /** 1, 2, 3 without a gap. */
  position: whole('position').primaryKey(),
  auditId: whole('audit_id').notNull().unique(),
  /** Of before and after, and of the address, each with its salt: so they can be erased and the chain still holds. */
  valuesHash: bytes('values_hash').notNull(),
  addressHash: bytes('address_hash').notNull(),
  /** Of the hash before, the rest of the row and the two hashes above. */
  hash: bytes('hash').notNull(),
});

/** Rows that wait to be sealed, put here as they are written. What is not committed yet is not seen, and is sealed later. */
export const auditUnsealed = pgTable('audit_unsealed', { auditId: whole('audit_id').primaryKey() });
