import { contractCheck, contractRecorder } from '../shared/contract';

contractRecorder.clear();
afterAll(writeContractRecord);

/** To be called by whatever gets answers when the test file has done its last test. */
export function writeContractRecord(): void {
  contractRecorder.write(expect.getState().testPath ?? '');
}

/** Holds what the running test file gets to the contract, and writes down what it showed. */
export { contractCheck };
