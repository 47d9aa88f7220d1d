/** What elements are made with; the build puts it into each file that has some. */
export { h, Fragment } from 'preact';
