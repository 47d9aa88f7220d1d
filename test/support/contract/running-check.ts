import { ContractCheck } from './contract-check';
import { readDifferences } from './differences';
import { MarkedContract } from './marked-contract';
import { ContractRecorder } from './record';
import { readContract } from './schema';

const recorder = new ContractRecorder();
afterAll(writeContractRecord);

/** To be called by whatever gets answers when the test file has done its last test. */
export function writeContractRecord(): void {
  recorder.write();
}

/** Holds what the running test file gets to the contract, and writes down what it showed. */
export const contractCheck = new ContractCheck(
  new MarkedContract(readContract(), readDifferences()),
  recorder,
);
