import './platform/lifecycle/require-node';
import './platform/lifecycle/compile-cache';
import './platform/lifecycle/kept-program';
import { serve } from './serve';

// What `npm start` runs; `parley serve` does the same.
void serve();
