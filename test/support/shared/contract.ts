import { ContractCheck } from '../contract/contract-check';
import { readDifferences } from '../contract/differences';
import { MarkedContract } from '../contract/marked-contract';
import { ContractRecorder } from '../contract/record';
import { readContract } from '../contract/schema';

/** What the running test file shows; to be cleared before the next one. */
export const contractRecorder = new ContractRecorder();

/** The contract as something to hold answers to. All test files share what is compiled of its schemas. */
export const contractCheck = new ContractCheck(
  new MarkedContract(readContract(), readDifferences()),
  contractRecorder,
);
