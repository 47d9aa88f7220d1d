import { ContractCheck } from '../contract/contract-check';
import { readDifferences } from '../contract/differences';
import { MarkedContract } from '../contract/marked-contract';
import { ContractRecorder } from '../contract/record';
import { readContract } from '../contract/schema';

/** Coverage of the running test file; cleared before the next one. */
export const contractRecorder = new ContractRecorder();

/** The contract, for checking answers. All test files share its compiled schemas. */
export const contractCheck = new ContractCheck(
  new MarkedContract(readContract(), readDifferences()),
  contractRecorder,
);
