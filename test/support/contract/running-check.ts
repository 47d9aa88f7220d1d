import { contractCheck, contractRecorder } from '../shared/contract';

contractRecorder.clear();
afterAll(writeContractRecord);

/** Called after the last test of a file, by all code that receives answers. */
export function writeContractRecord(): void {
  contractRecorder.write(expect.getState().testPath ?? '');
}

/** Checks answers of the running test file against the contract, and records the coverage. */
export { contractCheck };
