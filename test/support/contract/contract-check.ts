import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv';
import type { ServerEvent } from '../../../src/platform/events/server-event';
import { explain } from './explain';
import type { MarkedContract, MarkedSchema } from './marked-contract';
import { OperationTable } from './operation-table';
import type { ContractRecorder } from './record';
import { partsOf, referredName } from './schema';

/** The parts of an answer that the contract covers. */
interface CheckedAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Checks answers and events against the contract, and records the coverage. */
export class ContractCheck {
  private readonly operations: OperationTable;
  /** Quickly decides whether a value matches, and records what it saw. */
  private readonly quick = new Ajv({ strict: false, validateSchema: false, code: { optimize: false } });
  /** Finds all problems of a value that does not match. */
  private readonly thorough = new Ajv({
    allErrors: true,
    verbose: true,
    strict: false,
    validateSchema: false,
  });
  private readonly validators = new Map<MarkedSchema, ValidateFunction>();

  constructor(
    private readonly contract: MarkedContract,
    private readonly recorder: ContractRecorder,
  ) {
    this.operations = new OperationTable(contract.operations);
    this.addNotingKeywords();
  }

  /**
   * Checks an answer against the contract, if the contract has the operation.
   * @throws Error naming the operation, and the locations and problems in the answer
   */
  checkAnswer(verb: string, url: string, { status, body }: CheckedAnswer): void {
    const operation = this.operations.find(verb, url);
    if (operation === null) return;
    const schema = this.contract.answer(operation, status);
    if (schema === undefined) return;
    if (status === 200) this.recorder.answered.add(operation);
    const problems = this.problemsOf(schema, body);
    if (problems.length > 0) throw departure(`${verb} ${url} answered ${status}`, problems);
    if (operation === 'GET /events' && status === 200) this.checkEvents(body as { events: ServerEvent[] });
  }

  /**
   * Checks an event against the contract, with or without its ID, if the contract has such events.
   * @throws Error naming the event, and the locations and problems in it
   */
  checkEvent(event: ServerEvent): void {
    const kind = event.op === undefined ? event.type : `${event.type} ${event.op}`;
    this.recorder.events.add(kind);
    const schema = this.contract.event(kind);
    // Tests invent kinds; `npm run contract` checks those that features declare.
    if (schema === undefined) return;
    const problems = this.problemsOf(schema, event);
    if (problems.length > 0) throw departure(`An event '${kind}'`, problems);
  }

  private checkEvents({ events }: { events: readonly ServerEvent[] }): void {
    for (const event of events) this.checkEvent(event);
  }

  private problemsOf(schema: MarkedSchema, value: unknown): string[] {
    let fits = this.validators.get(schema);
    if (fits === undefined) {
      fits = this.compile(this.quick, schema);
      this.validators.set(schema, fits);
    }
    return fits(value)
      ? []
      : explain(this.errorsOf(schema, value), (form, part) => this.errorsOf(form, part));
  }

  private errorsOf(schema: MarkedSchema, value: unknown): ErrorObject[] {
    const fits = this.compile(this.thorough, schema);
    fits(value);
    return fits.errors ?? [];
  }

  private compile(ajv: Ajv, schema: MarkedSchema): ValidateFunction {
    this.addDefinitions(ajv, schema);
    return ajv.compile(schema);
  }

  /** Registers the definitions that a schema references, directly or indirectly. */
  private addDefinitions(ajv: Ajv, schema: MarkedSchema): void {
    const name = referredName(schema);
    if (name !== null && !ajv.schemas[name]) {
      const definition = this.contract.definition(name) as MarkedSchema;
      ajv.addSchema(definition, name);
      this.addDefinitions(ajv, definition);
    }
    for (const [part] of partsOf(schema, '')) this.addDefinitions(ajv, part);
    if (schema.unlike) this.addDefinitions(ajv, schema.unlike.original);
  }

  /** Registers the marks of the schemas as keywords that always pass and record what they saw. */
  private addNotingKeywords(): void {
    const { recorder } = this;
    this.addKeyword('keysAt', (place: string) => {
      const keys = recorder.keysAt(place);
      return (value: object | null) => {
        if (typeof value === 'object' && value !== null) for (const key of Object.keys(value)) keys.add(key);
      };
    });
    this.addKeyword('extra', (id: string) => () => void recorder.differences.add(id));
    this.addKeyword('mayMiss', (keys: NonNullable<MarkedSchema['mayMiss']>) => (value: object) => {
      for (const [key, id] of Object.entries(keys)) if (!(key in value)) recorder.differences.add(id);
    });
    this.addKeyword('unlike', ({ id, original }: NonNullable<MarkedSchema['unlike']>) => {
      const fits = this.compile(this.quick, original);
      return (value: unknown) => {
        if (!fits(value)) recorder.differences.add(id);
      };
    });
  }

  private addKeyword<Mark, Value>(keyword: string, noting: (mark: Mark) => (value: Value) => void): void {
    const compile = (mark: Mark) => {
      const note = noting(mark);
      return (value: Value) => {
        note(value);
        return true;
      };
    };
    this.quick.addKeyword({ keyword, errors: false, compile });
  }
}

function departure(what: string, problems: readonly string[]): Error {
  const list = [...new Set(problems)].map((problem) => `\n    ${problem}`).join('');
  return new Error(
    `${what}, which differs from test/compat/contract.json. Mend the server, or list the difference with its feature ` +
      `level or reason in test/compat/differences.tsv.${list}`,
  );
}
