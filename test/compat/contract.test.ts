import { ContractCheck } from '../support/contract/contract-check';
import { parseDifferences, readDifferences } from '../support/contract/differences';
import { MarkedContract } from '../support/contract/marked-contract';
import { ContractRecorder } from '../support/contract/record';
import { type Contract, readContract } from '../support/contract/schema';

/** A little contract of the form that `scripts/derive-contract.ts` writes. */
const contract = (): Contract => ({
  definitions: {
    CodedError: closed({ result: { enum: ['error'] }, msg: text, code: text }, ['code']),
    Pet: closed({ id: { type: 'integer' }, name: text, kind: { type: 'string', enum: ['cat', 'dog'] } }, [
      'id',
    ]),
  },
  operations: {
    'GET /pets': {
      parameters: [],
      answers: {
        '200': closed({ result: text, pets: { type: 'array', items: { $ref: '#/definitions/Pet' } } }),
      },
    },
    'GET /pets/{pet_id}': {
      parameters: [],
      answers: {
        '200': closed({
          pet: {
            anyOf: [
              { type: 'null' },
              closed({ id: { type: 'integer' }, home: text }),
              closed({ wild: text }),
            ],
          },
        }),
      },
    },
  },
  events: { 'pet add': closed({ type: text, op: text, pet: { $ref: '#/definitions/Pet' } }) },
});
const text = { type: 'string' };

function closed(properties: object, required: string[] = []): Contract['definitions'][string] {
  return structuredClone({
    type: 'object',
    properties: { ...properties },
    required,
    additionalProperties: false,
  });
}

const HEADER = 'anchor\tpath\tdifference\tsince\treason\n';

function checkWith(rows: string): { check: ContractCheck; recorder: ContractRecorder } {
  const recorder = new ContractRecorder();
  const marked = new MarkedContract(contract(), parseDifferences(HEADER + rows));
  marked.checkPlaces();
  return { check: new ContractCheck(marked, recorder), recorder };
}

/** What is wrong with the list of one pet; null if nothing is. */
function problemWith(pet: object, rows = ''): string | null {
  return messageOf(() =>
    checkWith(rows).check.checkAnswer('GET', '/api/v1/pets?x=1', { status: 200, body: { pets: [pet] } }),
  );
}

function messageOf(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

it('the listed differences all concern something that the contract has', () => {
  const marked = new MarkedContract(readContract(), readDifferences());
  expect(() => marked.checkPlaces()).not.toThrow();
});

describe('the check of answers against the contract', () => {
  it('is content with what the contract says, and with requests that it does not know', () => {
    expect(problemWith({ id: 1, name: 'Mimi', kind: 'cat' })).toBeNull();
    const { check } = checkWith('');
    expect(messageOf(() => check.checkAnswer('GET', '/api/v1/plants', { status: 200, body: 5 }))).toBeNull();
    expect(messageOf(() => check.checkAnswer('POST', '/api/v1/pets', { status: 200, body: 5 }))).toBeNull();
  });

  it('names operation, place and fault, and the line that would list it', () => {
    const problem = problemWith({ id: 'one', kind: 'cow', age: null });
    expect(problem).toContain('GET /api/v1/pets?x=1 answered 200');
    expect(problem).toContain("pets.0: unexpected key 'age' (null)\n      Pet\tage\textra null");
    expect(problem).toContain('pets.0.id: "one" instead of integer\n      Pet\tid\tvalue string');
    expect(problem).toContain('pets.0.kind: "cow" instead of ["cat","dog"]\n      Pet\tkind\tvalue string');
    expect(problemWith({})).toContain("pets.0: missing key 'id'\n      Pet\tid\toptional");
  });

  it('compares with the closest of several forms', () => {
    const answer = { status: 200, body: { pet: { id: 1, home: 7 } } };
    const problem = messageOf(() => checkWith('').check.checkAnswer('GET', '/api/v1/pets/12', answer));
    expect(problem).toContain(
      'pet.home: 7 instead of string\n      GET /pets/{pet_id}\tpet.home\tvalue integer',
    );
    expect(problem).not.toContain('wild');
  });

  it('allows failures the keys of coded errors', () => {
    const failing = (body: object) => () =>
      checkWith('').check.checkAnswer('GET', '/api/v1/pets', { status: 400, body });
    expect(messageOf(failing({ result: 'error', msg: 'No', code: 'NO' }))).toBeNull();
    expect(messageOf(failing({ result: 'error', msg: 'No', code: 'NO', why: 1 }))).toContain("key 'why'");
  });

  it('knows events by type and operation', () => {
    const { check, recorder } = checkWith('');
    expect(messageOf(() => check.checkEvent({ type: 'pet', op: 'add', pet: { id: 1 } }))).toBeNull();
    expect(messageOf(() => check.checkEvent({ type: 'pet', op: 'add', pet: {} }))).toContain(
      "missing key 'id'",
    );
    expect(messageOf(() => check.checkEvent({ type: 'pet', op: 'feed', anything: 1 }))).toBeNull();
    expect([...recorder.events]).toEqual(['pet add', 'pet feed']);
  });

  it('allows what is listed, and notes that it occurred', () => {
    const rows =
      'Pet\tage\textra integer|null\t380\t\nPet\tid\toptional\tspec\tpets need no number\n' +
      'Pet\tkind\tvalue string\t390\t\n';
    expect(problemWith({ kind: 'cow', age: null }, rows)).toBeNull();
    expect(problemWith({ kind: 'cow', age: 'old' }, rows)).toContain('pets.0.age: "old" instead of');
    const { check, recorder } = checkWith(rows);
    check.checkAnswer('GET', '/api/v1/pets', { status: 200, body: { pets: [{ id: 1, kind: 'cat' }] } });
    expect([...recorder.differences]).toEqual([]);
    check.checkAnswer('GET', '/api/v1/pets', { status: 200, body: { pets: [{ kind: 'cow', age: 3 }] } });
    expect([...recorder.differences].sort()).toEqual([
      'Pet\tage\textra',
      'Pet\tid\toptional',
      'Pet\tkind\tvalue',
    ]);
    expect([...recorder.keysAt('Pet\t')].sort()).toEqual(['age', 'id', 'kind']);
  });

  it('refuses lines that say nothing: without a reason, twice, or about what the contract does not have', () => {
    expect(() => checkWith('Pet\tage\textra integer\town\t\n')).toThrow('line 2');
    expect(() => checkWith('Pet\tage\textra\t400\t\n')).toThrow('line 2');
    expect(() => checkWith('Pet\tage\textra any\t400\t\nPet\tage\textra null\t400\t\n')).toThrow('twice');
    expect(() => checkWith('Pet\ttail.length\textra any\t400\t\n')).toThrow('no place');
    expect(() => checkWith('Pet\tname\textra any\t400\t\n')).toThrow('no place');
    expect(() => checkWith('Plant\tname\tabsent\t400\t\n')).toThrow('no place');
  });
});
