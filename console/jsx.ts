/** The functions that JSX compiles to; the build adds this import to each file with JSX. */
export { h, Fragment } from 'preact';
