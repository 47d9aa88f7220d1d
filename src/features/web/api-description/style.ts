/** The style of the page; small enough to be part of it, where its hash allows it. */
export const STYLE = `
:root{color-scheme:light dark;--ink:#1c2430;--dim:#5d6877;--line:#dfe4ea;--paper:#fff;--shade:#f5f7f9;--link:#1f5fbf;
--get:#1a7f4b;--post:#1f5fbf;--patch:#9a6100;--put:#7a3fb0;--delete:#b3261e}
@media(prefers-color-scheme:dark){:root{--ink:#e3e8ee;--dim:#97a3b2;--line:#2d3641;--paper:#13181e;--shade:#1b222a;
--link:#7fb2ff;--get:#5fcf95;--post:#7fb2ff;--patch:#e0ae5a;--put:#c79bf2;--delete:#ff8a80}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;scroll-padding-top:1rem}
body{margin:0;color:var(--ink);background:var(--paper);font:1rem/1.5 system-ui,sans-serif}
a{color:var(--link);overflow-wrap:anywhere}nav a,h3 a{text-decoration:none}nav a:hover,h3 a:hover{text-decoration:underline}
code{font:.9em ui-monospace,Consolas,monospace;overflow-wrap:anywhere}
i{color:var(--dim);font-style:normal;font-size:.85rem}
p{margin:.3rem 0}
.page{display:grid;grid-template-columns:18rem minmax(0,52rem);gap:2.5rem;max-width:76rem;margin:0 auto;padding:0 1.25rem}
nav{position:sticky;top:0;max-height:100vh;overflow-y:auto;padding:1.5rem 0;font-size:.9rem;border-right:1px solid var(--line)}
nav summary{cursor:pointer;padding:.2rem 0;font-weight:600}
nav ul{list-style:none;margin:0 0 .5rem;padding:0}
nav li a{display:block;padding:.1rem .5rem .1rem 0;color:var(--ink);overflow-wrap:anywhere}
nav li b{display:inline-block;width:3.7rem;font-size:.7rem}
main{padding:1.5rem 0 6rem}
main.alone{max-width:36rem;margin:0 auto;padding:4rem 1.25rem}
h1{margin:0 0 .5rem;font-size:1.9rem}
h2{margin:3rem 0 .25rem;padding-top:1rem;border-top:2px solid var(--line);font-size:1.4rem}
h3{margin:0;font-size:1rem;font-weight:600}h3 a{color:inherit}
h4{margin:.9rem 0 .2rem;font-size:.75rem;letter-spacing:.06em;text-transform:uppercase;color:var(--dim)}
h5{margin:.6rem 0 .1rem;font-size:.85rem;color:var(--dim)}
article{margin:1.25rem 0;padding:1rem 1.25rem;background:var(--shade);border:1px solid var(--line);border-radius:.5rem}
article.old h3 code{text-decoration:line-through;color:var(--dim)}
.get{color:var(--get)}.post{color:var(--post)}.patch{color:var(--patch)}.put{color:var(--put)}.delete{color:var(--delete)}
.status{font-variant-numeric:tabular-nums}.kind{color:var(--dim)}
dl{margin:.2rem 0;border-top:1px solid var(--line)}
dl>div{display:grid;grid-template-columns:minmax(8rem,15rem) minmax(0,1fr);gap:.75rem;padding:.25rem 0;border-bottom:1px solid var(--line)}
dt{overflow-wrap:anywhere}dd{margin:0}dd p{font-size:.92rem}dd dl{margin-top:.3rem}dd dl>div{display:block}dd dl dd{padding-left:1.25rem}
[hidden]{display:none!important}
pre{margin:.4rem 0;padding:.6rem .8rem;max-height:24rem;overflow:auto;background:var(--paper);border:1px solid var(--line);border-radius:.35rem;font-size:.88rem}
details.example{margin-top:.6rem}details.example summary{cursor:pointer;font-size:.85rem;color:var(--dim)}
label{display:block;margin:.5rem 0 .1rem;font-size:.85rem;font-weight:600}
input,select{width:100%;padding:.4rem .5rem;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--dim);border-radius:.3rem}
input[type=radio]{width:auto}input[type=radio]+label,.who p label{display:inline;font-weight:400;font-size:1rem}
fieldset{margin:1rem 0;padding:.6rem 1rem;border:1px solid var(--line);border-radius:.35rem}legend{padding:0 .4rem;font-weight:600}
button{margin:.7rem 0 0;padding:.35rem .9rem;font:inherit;font-weight:600;color:var(--link);background:var(--paper);border:1px solid var(--link);border-radius:.35rem;cursor:pointer}
:focus-visible{outline:3px solid var(--link);outline-offset:1px}
.found{min-height:1.5em;color:var(--dim)}.outcome{font-weight:600}
@media(max-width:56rem){.page{display:block}nav{position:static;max-height:none;border:0;padding-bottom:0}
dl>div{display:block}dd{padding-left:1rem}article{padding:.8rem .9rem}}
@media print{nav{display:none}.page{display:block}}
`;
