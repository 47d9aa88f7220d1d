import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv';
import type { ServerEvent } from '../../../src/platform/events/server-event';
import { explain } from './explain';
import type { MarkedContract, MarkedSchema } from './marked-contract';
import { OperationTable } from './operation-table';
import type { ContractRecorder } from './record';
import { partsOf, referredName } from './schema';

/** An answer, as far as the contract speaks of it. */
interface CheckedAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Holds answers and events to the contract, and notes what they show of it. */
export class ContractCheck {
  private readonly operations: OperationTable;
  /** Says as soon as it can whether a value fits, and writes down what it saw. */
  private readonly quick = new Ajv({ strict: false, validateSchema: false, code: { optimize: false } });
  /** Finds all that is wrong with a value that does not fit. */
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
   * Holds an answer to the contract, if the contract has the operation.
   * @throws Error naming the operation, the places in the answer and what is wrong there.
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
   * Holds an event to the contract, as a queue delivers it or without its ID, if the contract has such events.
   * @throws Error naming the event, the places in it and what is wrong there.
   */
  checkEvent(event: ServerEvent): void {
    const kind = event.op === undefined ? event.type : `${event.type} ${event.op}`;
    this.recorder.events.add(kind);
    const schema = this.contract.event(kind);
    // Tests invent kinds; `npm run contract` looks at those that features declare.
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

  /** Makes the definitions known that a schema refers to, and those that they refer to. */
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

  /** The marks of the schemas as keywords that are always content and write down what they saw. */
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
