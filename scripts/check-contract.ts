import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDifferences } from '../test/support/contract/differences';
import { MarkedContract, type MarkedSchema } from '../test/support/contract/marked-contract';
import { type ContractRecord, recordFolder } from '../test/support/contract/record';
import { partsOf, readContract, referredName } from '../test/support/contract/schema';
import { readTable } from '../test/support/permissions/table';
import { declaredEvents } from './declared-events';

/**
 * `npm run contract [-- <engine>...]`: how much of the contract the answers and events of the last test runs covered.
 * An answer that differs from it fails its own test; this reports what no single answer can show. Fails when a listed
 * difference no longer occurs, when the contract has a key that no answer contained, and when no test saw an operation
 * succeed.
 */
const root = join(__dirname, '..');
const differences = readDifferences();
const contract = new MarkedContract(readContract(), differences);
contract.checkPlaces();
const declared = declaredEvents();

/** Differences that are visible in single answers. */
const VISIBLE = ['extra', 'value', 'optional'];

interface Seen {
  readonly answered: Set<string>;
  readonly events: Set<string>;
  /** Keys by the location of their object. */
  readonly keys: Map<string, Set<string>>;
  readonly differences: Set<string>;
}

/** The combined coverage of all test files of one engine, without records of deleted test files. */
function readSeen(engine: string): Seen {
  const folder = recordFolder(engine);
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  const known = files.filter(
    (file) => file.endsWith('.json') && existsSync(join(root, file.replace(/\.json$/, ''))),
  );
  if (known.length === 0) throw new Error(`No test run recorded for ${engine}.`);
  const records = known.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as ContractRecord);
  const keys = new Map<string, Set<string>>();
  for (const [place, names] of records.flatMap((record) => Object.entries(record.keys))) {
    keys.set(place, new Set([...(keys.get(place) ?? []), ...names]));
  }
  return {
    answered: new Set(records.flatMap(({ answered }) => answered)),
    events: new Set(records.flatMap(({ events }) => events)),
    keys,
    differences: new Set(records.flatMap((record) => record.differences)),
  };
}

/** The operations of the contract that have a route on the server. */
function supportedOperations(): string[] {
  const routes = [...readTable().endpoints.keys()].map((endpoint) => endpoint.replace('{site}', ''));
  return routes.filter((route) => contract.operations.includes(route));
}

/** Walks from the answers to keys that never occurred, and notes listed differences on the way. */
class Walk {
  readonly neverGiven: string[] = [];
  readonly occurred: Set<string>;
  private readonly visited = new Set<MarkedSchema>();

  constructor(private readonly seen: Seen) {
    this.occurred = new Set(seen.differences);
  }

  visit(schema: MarkedSchema | undefined): void {
    if (!schema || this.visited.has(schema)) return;
    this.visited.add(schema);
    const name = referredName(schema);
    if (name !== null) return this.visit(contract.definition(name));
    const given = this.seen.keys.get(schema.keysAt ?? '');
    if (schema.properties && !given) {
      if (schema.absent === undefined) this.neverGiven.push(schema.at as string);
      return;
    }
    for (const [part] of partsOf(schema, '') as Iterable<readonly [MarkedSchema, string]>) {
      if (!this.isProperty(schema, part)) this.visit(part);
    }
    for (const [key, property] of Object.entries(schema.properties ?? {})) {
      if (given?.has(key)) {
        if (property.absent !== undefined) this.occurred.add(property.absent);
        this.visit(property);
      } else if (isExpected(schema, key, property)) {
        this.neverGiven.push(property.at as string);
      }
    }
  }

  private isProperty(schema: MarkedSchema, part: MarkedSchema): boolean {
    return Object.values(schema.properties ?? {}).includes(part);
  }
}

/** Whether some answer must contain a key, as far as a list can tell. */
function isExpected(record: MarkedSchema, key: string, property: MarkedSchema): boolean {
  // Every answer may contain the first, and captured events contain the second only once a queue delivers them.
  const isShared =
    key === 'ignored_parameters_unsupported' || (key === 'id' && /^event .*\t$/.test(record.at ?? ''));
  if (isShared) return false;
  return record.partial === undefined && property.absent === undefined && property.extra === undefined;
}

/** Prints the coverage of one engine and returns the number of problems. */
function report(engine: string): number {
  const seen = readSeen(engine);
  const walk = new Walk(seen);
  for (const operation of seen.answered) walk.visit(contract.answer(operation, 200));
  for (const kind of seen.events) walk.visit(contract.event(kind));
  const gone = differences.filter(({ id, kind }) => VISIBLE.includes(kind) && !walk.occurred.has(id));
  const untrue = differences.filter(({ id, kind }) => kind === 'absent' && walk.occurred.has(id));
  const unknownEvents = differences.filter(({ kind }) => kind === 'unknown').map(({ anchor }) => anchor);
  const strangers = [...seen.events]
    .filter((kind) => declared.has(kind) && !contract.event(kind))
    .map((kind) => `event ${kind}`);
  const newEvents = strangers.filter((anchor) => !unknownEvents.includes(anchor));
  const goneEvents = unknownEvents.filter((anchor) => !strangers.includes(anchor));
  const silent = supportedOperations().filter((operation) => !seen.answered.has(operation));
  const keys = [...walk.neverGiven].sort();
  console.log(
    `${engine}: ${seen.answered.size} operations and ${seen.events.size} kinds of events held to the contract, ` +
      `${differences.length} differences listed`,
  );
  for (const { id } of gone) console.log(`  listed, but no longer there: ${id}`);
  for (const { id } of untrue) console.log(`  listed, but given after all: ${id}`);
  for (const anchor of goneEvents) console.log(`  listed, but no longer there: ${anchor}`);
  for (const anchor of newEvents) console.log(`  not in the contract: ${anchor}\t\tunknown`);
  for (const place of keys) console.log(`  never given: ${place}\tabsent`);
  for (const operation of silent) console.log(`  no success seen: ${operation}`);
  return [gone, untrue, goneEvents, newEvents, keys, silent].flat().length;
}

const engines = process.argv.slice(2);
const problems = (engines.length > 0 ? engines : ['sqlite']).map(report);
if (problems.some((count) => count > 0)) process.exitCode = 1;
