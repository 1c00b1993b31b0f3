// Limits what one query can ask for. Applied to every document, by HTTP and by WebSocket.
import type { DocumentNode, FragmentDefinitionNode, OperationDefinitionNode, SelectionSetNode } from 'graphql';
import { type Refusal, refuse } from '#core/base/refusals.ts';

export const queryLimits = {
  /** Bytes of a body. */
  body: 256 * 1024,
  /** Parsed queries are cached by their text, comments included. */
  characters: 20_000,
  comments: 100,
  /** The web's longest query has 130. Validation can take quadratic time. */
  tokens: 1_000,
  depth: 8,
  aliases: 15,
  /** Aliases of fields without arguments, each of which repeats what is read once. */
  copies: 4,
  directives: 50,
  /** A query's cost: its fields, counted as often as fragments repeat them. */
  fields: 500,
} as const;

type Measure = {
  readonly depth: number;
  readonly aliases: number;
  readonly copies: number;
  readonly directives: number;
  readonly fields: number;
};

const nothing: Measure = { depth: 0, aliases: 0, copies: 0, directives: 0, fields: 0 };

const together = (one: Measure, other: Measure): Measure => ({
  depth: Math.max(one.depth, other.depth),
  aliases: one.aliases + other.aliases,
  copies: one.copies + other.copies,
  directives: one.directives + other.directives,
  fields: one.fields + other.fields,
});

class FragmentCycle extends Error {}

/**
 * Measures a selection with its fragments. Each fragment is measured once, so nesting can't make this slow.
 */
class Measuring {
  readonly #fragments = new Map<string, FragmentDefinitionNode>();
  readonly #measured = new Map<string, Measure | 'under way'>();

  constructor(document: DocumentNode) {
    for (const node of document.definitions)
      if (node.kind === 'FragmentDefinition') this.#fragments.set(node.name.value, node);
  }

  get hasUnused(): boolean {
    return this.#measured.size < this.#fragments.size;
  }

  of(selection: SelectionSetNode | undefined): Measure {
    let total = nothing;
    for (const node of selection?.selections ?? []) {
      const directives = node.directives?.length ?? 0;
      if (node.kind === 'Field') {
        // Introspection has its own depth; if it isn't allowed, validation refuses it.
        const inner = node.name.value.startsWith('__') ? nothing : this.of(node.selectionSet);
        total = together(total, {
          depth: inner.depth + 1,
          aliases: inner.aliases + (node.alias ? 1 : 0),
          copies: inner.copies + (node.alias && !node.arguments?.length ? 1 : 0),
          directives: inner.directives + directives,
          fields: inner.fields + 1,
        });
      } else {
        const inner = node.kind === 'FragmentSpread' ? this.#ofFragment(node.name.value) : this.of(node.selectionSet);
        total = together(total, { ...inner, directives: inner.directives + directives });
      }
    }
    return total;
  }

  #ofFragment(name: string): Measure {
    const known = this.#measured.get(name);
    if (known === 'under way') throw new FragmentCycle();
    if (known) return known;
    this.#measured.set(name, 'under way');
    const fragment = this.#fragments.get(name);
    const measure = together(this.of(fragment?.selectionSet), {
      ...nothing,
      directives: fragment?.directives?.length ?? 0,
    });
    this.#measured.set(name, measure);
    return measure;
  }
}

function measure(document: DocumentNode, operation: OperationDefinitionNode): Measure | 'cycle' | 'unused' {
  const measuring = new Measuring(document);
  try {
    const selected = measuring.of(operation.selectionSet);
    // Unused fragments would cost validation time before they are reported.
    if (measuring.hasUnused) return 'unused';
    return together(selected, { ...nothing, directives: operation.directives?.length ?? 0 });
  } catch (error) {
    if (error instanceof FragmentCycle) return 'cycle';
    throw error;
  }
}

const nouns = {
  depth: 'levels',
  aliases: 'aliases',
  copies: 'aliases of fields without arguments',
  directives: 'directives',
  fields: 'fields',
} as const satisfies Record<keyof Measure, string>;

/** Null, or why the document isn't even validated. */
export function limitRefusal(document: DocumentNode): Refusal | null {
  // Only a document parsed from text has counted tokens, which no JSON can claim; a ready-made tree could have
  // any size.
  const counted = document && Object.getOwnPropertyDescriptor(document, 'tokenCount');
  if (!counted || counted.enumerable) return refuse('BAD_REQUEST');
  const tokens: number = counted.value;
  if (tokens > queryLimits.tokens)
    return refuse('QUERY_TOO_LARGE', `A query can have up to ${queryLimits.tokens} tokens`);
  const operations = document.definitions.filter((node) => node.kind === 'OperationDefinition');
  const [operation] = operations;
  // Compiled queries are cached by text, so a second operation would get the first one's answer.
  if (!operation || operations.length > 1) return refuse('BAD_REQUEST', 'A query has exactly one operation');
  const found = measure(document, operation);
  if (found === 'cycle') return refuse('BAD_REQUEST', 'The query’s fragments form a cycle');
  if (found === 'unused') return refuse('BAD_REQUEST', 'The query has an unused fragment');
  const over = (Object.keys(nouns) as (keyof Measure)[]).find((part) => found[part] > queryLimits[part]);
  return over ? refuse('QUERY_TOO_LARGE', `A query can have up to ${queryLimits[over]} ${nouns[over]}`) : null;
}
