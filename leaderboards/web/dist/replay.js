"use strict";(()=>{/**
 * @license
 * Copyright 2019 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var de=globalThis,pe=de.ShadowRoot&&(de.ShadyCSS===void 0||de.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,Te=Symbol(),nt=new WeakMap,K=class{constructor(e,r,s){if(this._$cssResult$=!0,s!==Te)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=e,this.t=r}get styleSheet(){let e=this.o,r=this.t;if(pe&&e===void 0){let s=r!==void 0&&r.length===1;s&&(e=nt.get(r)),e===void 0&&((this.o=e=new CSSStyleSheet).replaceSync(this.cssText),s&&nt.set(r,e))}return e}toString(){return this.cssText}},it=t=>new K(typeof t=="string"?t:t+"",void 0,Te),O=(t,...e)=>{let r=t.length===1?t[0]:e.reduce((s,a,n)=>s+(i=>{if(i._$cssResult$===!0)return i.cssText;if(typeof i=="number")return i;throw Error("Value passed to 'css' function must be a 'css' function result: "+i+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(a)+t[n+1],t[0]);return new K(r,t,Te)},ot=(t,e)=>{if(pe)t.adoptedStyleSheets=e.map(r=>r instanceof CSSStyleSheet?r:r.styleSheet);else for(let r of e){let s=document.createElement("style"),a=de.litNonce;a!==void 0&&s.setAttribute("nonce",a),s.textContent=r.cssText,t.appendChild(s)}},Se=pe?t=>t:t=>t instanceof CSSStyleSheet?(e=>{let r="";for(let s of e.cssRules)r+=s.cssText;return it(r)})(t):t;/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var{is:Rr,defineProperty:Ar,getOwnPropertyDescriptor:zr,getOwnPropertyNames:Pr,getOwnPropertySymbols:Or,getPrototypeOf:jr}=Object,ce=globalThis,lt=ce.trustedTypes,Nr=lt?lt.emptyScript:"",Hr=ce.reactiveElementPolyfillSupport,X=(t,e)=>t,_e={toAttribute(t,e){switch(e){case Boolean:t=t?Nr:null;break;case Object:case Array:t=t==null?t:JSON.stringify(t)}return t},fromAttribute(t,e){let r=t;switch(e){case Boolean:r=t!==null;break;case Number:r=t===null?null:Number(t);break;case Object:case Array:try{r=JSON.parse(t)}catch{r=null}}return r}},pt=(t,e)=>!Rr(t,e),dt={attribute:!0,type:String,converter:_e,reflect:!1,useDefault:!1,hasChanged:pt};Symbol.metadata??=Symbol("metadata"),ce.litPropertyMetadata??=new WeakMap;var C=class extends HTMLElement{static addInitializer(e){this._$Ei(),(this.l??=[]).push(e)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(e,r=dt){if(r.state&&(r.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(e)&&((r=Object.create(r)).wrapped=!0),this.elementProperties.set(e,r),!r.noAccessor){let s=Symbol(),a=this.getPropertyDescriptor(e,s,r);a!==void 0&&Ar(this.prototype,e,a)}}static getPropertyDescriptor(e,r,s){let{get:a,set:n}=zr(this.prototype,e)??{get(){return this[r]},set(i){this[r]=i}};return{get:a,set(i){let l=a?.call(this);n?.call(this,i),this.requestUpdate(e,l,s)},configurable:!0,enumerable:!0}}static getPropertyOptions(e){return this.elementProperties.get(e)??dt}static _$Ei(){if(this.hasOwnProperty(X("elementProperties")))return;let e=jr(this);e.finalize(),e.l!==void 0&&(this.l=[...e.l]),this.elementProperties=new Map(e.elementProperties)}static finalize(){if(this.hasOwnProperty(X("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(X("properties"))){let r=this.properties,s=[...Pr(r),...Or(r)];for(let a of s)this.createProperty(a,r[a])}let e=this[Symbol.metadata];if(e!==null){let r=litPropertyMetadata.get(e);if(r!==void 0)for(let[s,a]of r)this.elementProperties.set(s,a)}this._$Eh=new Map;for(let[r,s]of this.elementProperties){let a=this._$Eu(r,s);a!==void 0&&this._$Eh.set(a,r)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(e){let r=[];if(Array.isArray(e)){let s=new Set(e.flat(1/0).reverse());for(let a of s)r.unshift(Se(a))}else e!==void 0&&r.push(Se(e));return r}static _$Eu(e,r){let s=r.attribute;return s===!1?void 0:typeof s=="string"?s:typeof e=="string"?e.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(e=>this.enableUpdating=e),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(e=>e(this))}addController(e){(this._$EO??=new Set).add(e),this.renderRoot!==void 0&&this.isConnected&&e.hostConnected?.()}removeController(e){this._$EO?.delete(e)}_$E_(){let e=new Map,r=this.constructor.elementProperties;for(let s of r.keys())this.hasOwnProperty(s)&&(e.set(s,this[s]),delete this[s]);e.size>0&&(this._$Ep=e)}createRenderRoot(){let e=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return ot(e,this.constructor.elementStyles),e}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(e=>e.hostConnected?.())}enableUpdating(e){}disconnectedCallback(){this._$EO?.forEach(e=>e.hostDisconnected?.())}attributeChangedCallback(e,r,s){this._$AK(e,s)}_$ET(e,r){let s=this.constructor.elementProperties.get(e),a=this.constructor._$Eu(e,s);if(a!==void 0&&s.reflect===!0){let n=(s.converter?.toAttribute!==void 0?s.converter:_e).toAttribute(r,s.type);this._$Em=e,n==null?this.removeAttribute(a):this.setAttribute(a,n),this._$Em=null}}_$AK(e,r){let s=this.constructor,a=s._$Eh.get(e);if(a!==void 0&&this._$Em!==a){let n=s.getPropertyOptions(a),i=typeof n.converter=="function"?{fromAttribute:n.converter}:n.converter?.fromAttribute!==void 0?n.converter:_e;this._$Em=a;let l=i.fromAttribute(r,n.type);this[a]=l??this._$Ej?.get(a)??l,this._$Em=null}}requestUpdate(e,r,s,a=!1,n){if(e!==void 0){let i=this.constructor;if(a===!1&&(n=this[e]),s??=i.getPropertyOptions(e),!((s.hasChanged??pt)(n,r)||s.useDefault&&s.reflect&&n===this._$Ej?.get(e)&&!this.hasAttribute(i._$Eu(e,s))))return;this.C(e,r,s)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(e,r,{useDefault:s,reflect:a,wrapped:n},i){s&&!(this._$Ej??=new Map).has(e)&&(this._$Ej.set(e,i??r??this[e]),n!==!0||i!==void 0)||(this._$AL.has(e)||(this.hasUpdated||s||(r=void 0),this._$AL.set(e,r)),a===!0&&this._$Em!==e&&(this._$Eq??=new Set).add(e))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(r){Promise.reject(r)}let e=this.scheduleUpdate();return e!=null&&await e,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[a,n]of this._$Ep)this[a]=n;this._$Ep=void 0}let s=this.constructor.elementProperties;if(s.size>0)for(let[a,n]of s){let{wrapped:i}=n,l=this[a];i!==!0||this._$AL.has(a)||l===void 0||this.C(a,void 0,n,l)}}let e=!1,r=this._$AL;try{e=this.shouldUpdate(r),e?(this.willUpdate(r),this._$EO?.forEach(s=>s.hostUpdate?.()),this.update(r)):this._$EM()}catch(s){throw e=!1,this._$EM(),s}e&&this._$AE(r)}willUpdate(e){}_$AE(e){this._$EO?.forEach(r=>r.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(e)),this.updated(e)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(e){return!0}update(e){this._$Eq&&=this._$Eq.forEach(r=>this._$ET(r,this[r])),this._$EM()}updated(e){}firstUpdated(e){}};C.elementStyles=[],C.shadowRootOptions={mode:"open"},C[X("elementProperties")]=new Map,C[X("finalized")]=new Map,Hr?.({ReactiveElement:C}),(ce.reactiveElementVersions??=[]).push("2.1.2");/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var Pe=globalThis,ct=t=>t,me=Pe.trustedTypes,mt=me?me.createPolicy("lit-html",{createHTML:t=>t}):void 0,vt="$lit$",R=`lit$${Math.random().toFixed(9).slice(2)}$`,bt="?"+R,Vr=`<${bt}>`,H=document,Q=()=>H.createComment(""),Z=t=>t===null||typeof t!="object"&&typeof t!="function",Oe=Array.isArray,Lr=t=>Oe(t)||typeof t?.[Symbol.iterator]=="function",Me=`[ 	
\f\r]`,Y=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,ut=/-->/g,ht=/>/g,j=RegExp(`>|${Me}(?:([^\\s"'>=/]+)(${Me}*=${Me}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),ft=/'/g,gt=/"/g,wt=/^(?:script|style|textarea|title)$/i,je=t=>(e,...r)=>({_$litType$:t,strings:e,values:r}),o=je(1),h=je(2),Ya=je(3),V=Symbol.for("lit-noChange"),d=Symbol.for("lit-nothing"),$t=new WeakMap,N=H.createTreeWalker(H,129);function yt(t,e){if(!Oe(t)||!t.hasOwnProperty("raw"))throw Error("invalid template strings array");return mt!==void 0?mt.createHTML(e):e}var Ur=(t,e)=>{let r=t.length-1,s=[],a,n=e===2?"<svg>":e===3?"<math>":"",i=Y;for(let l=0;l<r;l++){let p=t[l],c,m,u=-1,f=0;for(;f<p.length&&(i.lastIndex=f,m=i.exec(p),m!==null);)f=i.lastIndex,i===Y?m[1]==="!--"?i=ut:m[1]!==void 0?i=ht:m[2]!==void 0?(wt.test(m[2])&&(a=RegExp("</"+m[2],"g")),i=j):m[3]!==void 0&&(i=j):i===j?m[0]===">"?(i=a??Y,u=-1):m[1]===void 0?u=-2:(u=i.lastIndex-m[2].length,c=m[1],i=m[3]===void 0?j:m[3]==='"'?gt:ft):i===gt||i===ft?i=j:i===ut||i===ht?i=Y:(i=j,a=void 0);let b=i===j&&t[l+1].startsWith("/>")?" ":"";n+=i===Y?p+Vr:u>=0?(s.push(c),p.slice(0,u)+vt+p.slice(u)+R+b):p+R+(u===-2?l:b)}return[yt(t,n+(t[r]||"<?>")+(e===2?"</svg>":e===3?"</math>":"")),s]},ee=class t{constructor({strings:e,_$litType$:r},s){let a;this.parts=[];let n=0,i=0,l=e.length-1,p=this.parts,[c,m]=Ur(e,r);if(this.el=t.createElement(c,s),N.currentNode=this.el.content,r===2||r===3){let u=this.el.content.firstChild;u.replaceWith(...u.childNodes)}for(;(a=N.nextNode())!==null&&p.length<l;){if(a.nodeType===1){if(a.hasAttributes())for(let u of a.getAttributeNames())if(u.endsWith(vt)){let f=m[i++],b=a.getAttribute(u).split(R),le=/([.?@])?(.*)/.exec(f);p.push({type:1,index:n,name:le[2],strings:b,ctor:le[1]==="."?Ee:le[1]==="?"?Re:le[1]==="@"?Ae:J}),a.removeAttribute(u)}else u.startsWith(R)&&(p.push({type:6,index:n}),a.removeAttribute(u));if(wt.test(a.tagName)){let u=a.textContent.split(R),f=u.length-1;if(f>0){a.textContent=me?me.emptyScript:"";for(let b=0;b<f;b++)a.append(u[b],Q()),N.nextNode(),p.push({type:2,index:++n});a.append(u[f],Q())}}}else if(a.nodeType===8)if(a.data===bt)p.push({type:2,index:n});else{let u=-1;for(;(u=a.data.indexOf(R,u+1))!==-1;)p.push({type:7,index:n}),u+=R.length-1}n++}}static createElement(e,r){let s=H.createElement("template");return s.innerHTML=e,s}};function U(t,e,r=t,s){if(e===V)return e;let a=s!==void 0?r._$Co?.[s]:r._$Cl,n=Z(e)?void 0:e._$litDirective$;return a?.constructor!==n&&(a?._$AO?.(!1),n===void 0?a=void 0:(a=new n(t),a._$AT(t,r,s)),s!==void 0?(r._$Co??=[])[s]=a:r._$Cl=a),a!==void 0&&(e=U(t,a._$AS(t,e.values),a,s)),e}var Ce=class{constructor(e,r){this._$AV=[],this._$AN=void 0,this._$AD=e,this._$AM=r}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(e){let{el:{content:r},parts:s}=this._$AD,a=(e?.creationScope??H).importNode(r,!0);N.currentNode=a;let n=N.nextNode(),i=0,l=0,p=s[0];for(;p!==void 0;){if(i===p.index){let c;p.type===2?c=new te(n,n.nextSibling,this,e):p.type===1?c=new p.ctor(n,p.name,p.strings,this,e):p.type===6&&(c=new ze(n,this,e)),this._$AV.push(c),p=s[++l]}i!==p?.index&&(n=N.nextNode(),i++)}return N.currentNode=H,a}p(e){let r=0;for(let s of this._$AV)s!==void 0&&(s.strings!==void 0?(s._$AI(e,s,r),r+=s.strings.length-2):s._$AI(e[r])),r++}},te=class t{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(e,r,s,a){this.type=2,this._$AH=d,this._$AN=void 0,this._$AA=e,this._$AB=r,this._$AM=s,this.options=a,this._$Cv=a?.isConnected??!0}get parentNode(){let e=this._$AA.parentNode,r=this._$AM;return r!==void 0&&e?.nodeType===11&&(e=r.parentNode),e}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(e,r=this){e=U(this,e,r),Z(e)?e===d||e==null||e===""?(this._$AH!==d&&this._$AR(),this._$AH=d):e!==this._$AH&&e!==V&&this._(e):e._$litType$!==void 0?this.$(e):e.nodeType!==void 0?this.T(e):Lr(e)?this.k(e):this._(e)}O(e){return this._$AA.parentNode.insertBefore(e,this._$AB)}T(e){this._$AH!==e&&(this._$AR(),this._$AH=this.O(e))}_(e){this._$AH!==d&&Z(this._$AH)?this._$AA.nextSibling.data=e:this.T(H.createTextNode(e)),this._$AH=e}$(e){let{values:r,_$litType$:s}=e,a=typeof s=="number"?this._$AC(e):(s.el===void 0&&(s.el=ee.createElement(yt(s.h,s.h[0]),this.options)),s);if(this._$AH?._$AD===a)this._$AH.p(r);else{let n=new Ce(a,this),i=n.u(this.options);n.p(r),this.T(i),this._$AH=n}}_$AC(e){let r=$t.get(e.strings);return r===void 0&&$t.set(e.strings,r=new ee(e)),r}k(e){Oe(this._$AH)||(this._$AH=[],this._$AR());let r=this._$AH,s,a=0;for(let n of e)a===r.length?r.push(s=new t(this.O(Q()),this.O(Q()),this,this.options)):s=r[a],s._$AI(n),a++;a<r.length&&(this._$AR(s&&s._$AB.nextSibling,a),r.length=a)}_$AR(e=this._$AA.nextSibling,r){for(this._$AP?.(!1,!0,r);e!==this._$AB;){let s=ct(e).nextSibling;ct(e).remove(),e=s}}setConnected(e){this._$AM===void 0&&(this._$Cv=e,this._$AP?.(e))}},J=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(e,r,s,a,n){this.type=1,this._$AH=d,this._$AN=void 0,this.element=e,this.name=r,this._$AM=a,this.options=n,s.length>2||s[0]!==""||s[1]!==""?(this._$AH=Array(s.length-1).fill(new String),this.strings=s):this._$AH=d}_$AI(e,r=this,s,a){let n=this.strings,i=!1;if(n===void 0)e=U(this,e,r,0),i=!Z(e)||e!==this._$AH&&e!==V,i&&(this._$AH=e);else{let l=e,p,c;for(e=n[0],p=0;p<n.length-1;p++)c=U(this,l[s+p],r,p),c===V&&(c=this._$AH[p]),i||=!Z(c)||c!==this._$AH[p],c===d?e=d:e!==d&&(e+=(c??"")+n[p+1]),this._$AH[p]=c}i&&!a&&this.j(e)}j(e){e===d?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,e??"")}},Ee=class extends J{constructor(){super(...arguments),this.type=3}j(e){this.element[this.name]=e===d?void 0:e}},Re=class extends J{constructor(){super(...arguments),this.type=4}j(e){this.element.toggleAttribute(this.name,!!e&&e!==d)}},Ae=class extends J{constructor(e,r,s,a,n){super(e,r,s,a,n),this.type=5}_$AI(e,r=this){if((e=U(this,e,r,0)??d)===V)return;let s=this._$AH,a=e===d&&s!==d||e.capture!==s.capture||e.once!==s.once||e.passive!==s.passive,n=e!==d&&(s===d||a);a&&this.element.removeEventListener(this.name,this,s),n&&this.element.addEventListener(this.name,this,e),this._$AH=e}handleEvent(e){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,e):this._$AH.handleEvent(e)}},ze=class{constructor(e,r,s){this.element=e,this.type=6,this._$AN=void 0,this._$AM=r,this.options=s}get _$AU(){return this._$AM._$AU}_$AI(e){U(this,e)}};var Jr=Pe.litHtmlPolyfillSupport;Jr?.(ee,te),(Pe.litHtmlVersions??=[]).push("3.3.3");var xt=(t,e,r)=>{let s=r?.renderBefore??e,a=s._$litPart$;if(a===void 0){let n=r?.renderBefore??null;s._$litPart$=a=new te(e.insertBefore(Q(),n),n,void 0,r??{})}return a._$AI(t),a};/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var Ne=globalThis,A=class extends C{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let e=super.createRenderRoot();return this.renderOptions.renderBefore??=e.firstChild,e}update(e){let r=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(e),this._$Do=xt(r,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return V}};A._$litElement$=!0,A.finalized=!0,Ne.litElementHydrateSupport?.({LitElement:A});var Gr=Ne.litElementPolyfillSupport;Gr?.({LitElement:A});(Ne.litElementVersions??=[]).push("4.2.2");/**
 * @license
 * Copyright 2022 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var kt=/\{(\w+)(?:\.(\d))?(?::(\w+))?\}/g,ue=t=>e=>Object.hasOwn(t,e)?t[e]:e.slice(e.lastIndexOf(".")+1);function he({kind:t,body:e},r){let s=r(`say.${t}`);if(s===t)return null;let a=r(`say.${t}.none`);return([...s.matchAll(kt)].some(([,l])=>e[l]==null)&&a!=="none"?a:s).replace(kt,(l,p,c,m)=>{let u=c===void 0?e[p]:e[p]?.[Number(c)];return G(r,u,m??"")})}function G(t,e,r,s=!1){if(e==null)return B(t,r,"none")??"-";if(typeof e=="boolean")return G(t,e?"yes":"no",r);if(Array.isArray(e))return Br(t,e,r,s);if(typeof e!="object")return r?Dr(t,r,String(e)):String(e);if("id"in e)return G(t,e.id,r);let a=Object.entries(e).map(([i,l])=>`${G(t,i,r)} ${G(t,l,r,!0)}`),n=Object.values(e).some(Array.isArray)?" ":s?"+":", ";return a.join(n)||Tt(t)}function Br(t,e,r,s){let a=e.map(i=>G(t,i,r,!0)),n=e.some(i=>i!==null&&typeof i=="object")||a.some(i=>i.includes(" "));return a.join(n?", ":s?"+":" ")||(B(t,r,"empty")??Tt(t))}var B=(t,e,r)=>t(`${e}.${r}`)===r?null:t(`${e}.${r}`),Dr=(t,e,r)=>B(t,e,r)??B(t,"word",r)??B(t,"card",r)??r,Tt=t=>B(t,"word","none")??"-";function fe(t){return t==null?"–":t<1e3?`${t<10?Math.round(t*10)/10:Math.round(t)} ms`:t<6e4?`${Math.round(t/100)/10} s`:`${Math.floor(t/6e4)} min ${Math.round(t%6e4/1e3)} s`}var T=t=>t.normalize("NFC").replace(Ir,Fr),Ir=/[^\P{C}\n]|[\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0]|\p{M}{4,}/gu,w=(t,e=64)=>{let r=T(t.replace(/\n/g,"\\n")),s=Math.floor((e-1)/2);return r.length>e?`${r.slice(0,e-1-s)}…${r.slice(-s)}`:r},Fr=t=>Array.from(t,e=>`\\u${e.codePointAt(0).toString(16).padStart(4,"0")}`).join("");function St(t){let e=t.views.find(s=>s!==null)??{},r=e.characters??[];return{setup:t.setup,t:t.t,eye:t.eye,unseen:t.unseen,news:t.news,at:e,houses:t.seats.map((s,a)=>t.views[a]?.houses?.[a]??e.houses?.[a]??{}),own:t.views,bots:t.seats.map(s=>w(s.bot,24)),people:new Map(r.map(s=>[s.id,s]))}}var M=t=>Number(t[0]),_t=t=>t[1]==="M",$=(t,e)=>t.news.find(r=>r.kind===e)?.body,k=(t,e)=>t.news.filter(r=>r.kind===e).map(r=>r.body),Mt=(t,e)=>[...t.people.values()].filter(r=>M(r.id)===e),z=(t,e)=>t.own[e]?.sealed??void 0,He=(t,e)=>`${t.t("word.age")} ${e.red} ${t.t("word.of")} 5`;function re(t,e){let r=e.traits.map(n=>t.t(`trait.${n}`)).join(", "),s=[e.acted?t.t("word.acted"):"",e.new?t.t("word.new"):""].filter(Boolean),a=t.t(`sex.${e.id[1]}`);return[`${e.id}, ${a}, ${t.t("word.house")} ${M(e.id)}: ${r}`,He(t,e),...s].join("; ")}var qr={square:[98,98],hexagon:[107,214/Math.sqrt(3)]};function Et(t){let e=Object.keys(t.fields),r=String(t.id).startsWith("triangle"),s=new Map(e.map(u=>[u,r?Kr(u):Wr(u)])),[a,n]=qr[r?"hexagon":"square"],i=[...s.values()],[l,p]=[Math.min(...i.map(u=>u.x))-a,Math.min(...i.map(u=>u.y))-n],[c,m]=[Math.max(...i.map(u=>u.x))+a,Math.max(...i.map(u=>u.y))+n];return{spots:s,hexagons:r,outline:r?Yr(a-8):Xr(a-2),box:[l-2,p-2,c-l+4,m-p+4]}}var Rt=t=>t.charCodeAt(0)-97,At=t=>Number(t.slice(1));function Wr(t){return{x:Rt(t)*206,y:(At(t)-1)*206}}function Kr(t){let e=Rt(t);return{x:(At(t)-1-e/2)*214,y:e*214*(Math.sqrt(3)/2)}}var Xr=t=>{let[e,r]=[t-14,14];return`M${-e} ${-t}H${e}a${r} ${r} 0 0 1 ${r} ${r}V${e}a${r} ${r} 0 0 1 ${-r} ${r}H${-e}a${r} ${r} 0 0 1 ${-r} ${-r}V${-e}a${r} ${r} 0 0 1 ${r} ${-r}z`},Yr=t=>{let e=t/Math.cos(Math.PI/6),r=s=>`${(e*Math.sin(s*Math.PI/3)).toFixed(1)} ${(-e*Math.cos(s*Math.PI/3)).toFixed(1)}`;return`M${[0,1,2,3,4,5].map(r).join("L")}z`},Ct=72;function zt(t,e,r){let[s,a]=[e.x-t.x,e.y-t.y],n=Math.hypot(s,a)||1,[i,l]=[s/n,a/n],p=n*r,c={x:(t.x+e.x)/2-l*p,y:(t.y+e.y)/2+i*p},m=(u,f)=>`${(u.x+i*f).toFixed(1)} ${(u.y+l*f).toFixed(1)}`;return`M${m(t,Ct)}Q${c.x.toFixed(1)} ${c.y.toFixed(1)} ${m(e,-Ct)}`}var Ve={bow:h`<path d="M5 3A15 15 0 0 1 21 19M5 3 21 19M3 21 15 9m-5 0h5v5"/>`,sword:h`<path d="M21 3v4L11 17l-4-4L17 3zM5 12l7 7M8.5 15.5 3 21"/>`,magic:h`<path class="full" d="M10 3c.8 5.6 2.8 7.7 8.5 8.5-5.7.8-7.7 2.9-8.5 8.5-.8-5.6-2.8-7.7-8.5-8.5C7.2 10.7 9.2 8.6 10 3z"/><path d="M19.5 2v5M17 4.5h5M20 17v4M18 19h4"/>`,valour:h`<path d="M5 22V2"/><path class="full" d="M5 3.5h16L17 8.5l4 5H5z"/>`,rule:h`<path class="full" d="M2.5 7 7.5 11 12 4l4.5 7 5-4L19.5 17h-15z"/><path d="M5 20.5h14"/>`,learning:h`<path d="M12 6C9 4 5.5 4 2.5 5v14c3-1 6.5-1 9.5 1 3-2 6.5-2 9.5-1V5C18.5 4 15 4 12 6zV20"/>`,economy:h`<path d="M12 22V6"/><path class="full" d="M12 8c-1.8-1.5-1.8-4 0-6 1.8 2 1.8 4.5 0 6zm0 6C8.5 14 6.5 12 6.5 8.5 10 8.5 12 10.5 12 14zm0 0c3.5 0 5.5-2 5.5-5.5C14 8.5 12 10.5 12 14zm0 6c-3.5 0-5.5-2-5.5-5.5 3.5 0 5.5 2 5.5 5.5zm0 0c3.5 0 5.5-2 5.5-5.5-3.5 0-5.5 2-5.5 5.5z"/>`,money:h`<circle cx="12" cy="12" r="9.5"/><circle class="full" cx="12" cy="12" r="4.5"/>`,luck:h`<path class="full" d="M12 11C8 10 6.5 8 7 5.5c.5-2.5 4-2.5 5 .5 1-3 4.5-3 5-.5.5 2.5-1 4.5-5 5.5zm-1 1c-1 4-3 5.5-5.5 5-2.5-.5-2.5-4 .5-5-3-1-3-4.5-.5-5 2.5-.5 4.5 1 5.5 5zm2 0c1-4 3-5.5 5.5-5 2.5.5 2.5 4-.5 5 3 1 3 4.5.5 5-2.5.5-4.5-1-5.5-5z"/><path d="M12 13c.5 4 1.5 6.5 3 9"/>`,folly:h`<path d="M5 18C4 13 3.5 10 2 8c3.5-.5 5.5 1 7 4 .3-3.5 1.3-6 3-8.5 1.7 2.5 2.7 5 3 8.5 1.5-3 3.5-4.5 7-4-1.5 2-2 5-3 10z"/><path d="M5 21h14"/><circle class="full" cx="2.5" cy="7" r="1.5"/><circle class="full" cx="12" cy="3" r="1.5"/><circle class="full" cx="21.5" cy="7" r="1.5"/>`},Pt={swords:h`<path d="M3 3 17 17M21 3 7 17M4 15l5 5M20 15l-5 5M6 18l-3 3M18 18l3 3"/>`,heart:h`<path class="full" d="M12 21C5 15.5 2.5 12 2.5 8.5 2.5 3.5 9.5 2.5 12 7.5c2.5-5 9.5-4 9.5 1C21.5 12 19 15.5 12 21z"/>`,star:h`<path class="full" d="m12 2 3 6.7 7.2.8-5.4 4.9 1.5 7.2L12 18l-6.3 3.6 1.5-7.2-5.4-4.9L9 8.7z"/>`,cross:h`<path d="M12 3v19M6 9h12"/>`,trophy:h`<path d="M7 3h10v6a5 5 0 0 1-10 0zM7 5H3c0 4 1.5 6 4.5 6M17 5h4c0 4-1.5 6-4.5 6M12 14v4M8 21h8M10 18h4"/>`,drop:h`<path class="full" d="M12 2.5c4.5 6 6.5 9 6.5 12a6.5 6.5 0 0 1-13 0c0-3 2-6 6.5-12z"/>`,flag:h`<path d="M12 2.5c3 1.8 5.5 2.3 8.5 2.3 0 8.2-2 13.7-8.5 16.7C5.5 18.5 3.5 13 3.5 4.8c3 0 5.5-.5 8.5-2.3z"/>`,card:h`<path d="M6 2.5h12v19H6zM9.5 8h5M9.5 12h5"/>`,crown:Ve.rule,ring:h`<circle cx="12" cy="14.5" r="7"/><path class="full" d="m12 8-3.5-3.5L10.5 2h3l2 2.5z"/>`,shield:h`<path class="full" d="M12 2.5c3 1.8 5.5 2.3 8.5 2.3 0 8.2-2 13.7-8.5 16.7C5.5 18.5 3.5 13 3.5 4.8c3 0 5.5-.5 8.5-2.3z"/>`,hazard:h`<path d="M12 3 22 20.5H2zM12 10v5M12 17.7v.3"/>`,most:h`<path d="M4 21v-7h4.5v7M9.8 21V4h4.5v17M15.5 21v-11H20v11M2 21h20"/>`,gift:h`<path d="M4 11h16v10H4zM2.5 7h19v4h-19zM12 7v14M12 7C8 7 7 3 9 2.5S12 5 12 7c0-2 1-5 3-4.5S16 7 12 7z"/>`,check:h`<path d="m4 12.5 5.5 5.5L20 6.5"/>`,coins:Ve.money,scroll:h`<path d="M6 3h13v15a3 3 0 0 1-3 3H5a2 2 0 0 0 2-2V5a2 2 0 1 0-4 0v2h4M10.5 8h5M10.5 12h5"/>`},Nt=t=>Ve[t]??Pt[t]??Pt.scroll;function D(t,e,r,s){let a=`translate(${e-s/2} ${r-s/2}) scale(${s/24})`;return h`<g class="sign ${t}" transform=${a}>${Nt(t)}</g>`}var g=t=>o`<svg class="icon sign ${t}" viewBox="0 0 24 24" aria-hidden="true">${Nt(t)}</svg>`,Ot=["M-12-14H12V0C12 9 6 13 0 16-6 13-12 9-12 0z","M0-15.5A15.5 15.5 0 1 1 0 15.5 15.5 15.5 0 1 1 0-15.5z","M0-18 16 0 0 18-16 0z","M-13-14H13V15L0 9-13 15z"];function Le(t,e,r,s=1){return h`<g class="crest seat${t}" transform="translate(${e} ${r}) scale(${s})">
    <path d=${Ot[t]??Ot[0]}/><text y=${t===3?3.5:5.5}>${t}</text></g>`}var I=t=>o`<svg class="badge" viewBox="-18 -18 36 36" role="img" aria-label=${t}>${Le(t,0,0)}</svg>`,Qr="M-16 23V1C-16-6-13-9-8-9H8C13-9 16-6 16 1V23z",Zr="M0-10C6-10 8-7 9-2L20 23H-20L-9-2C-8-7-6-10 0-10z";function Ue(t,e){return h`<g class="pawn seat${M(t)} ${e?"acted":""}">
    <path d=${_t(t)?Qr:Zr}/><circle cy="-17" r="9"/><text y="15">${t.slice(1)}</text></g>`}var y=(t,e=!1)=>o`<svg class="figure" viewBox="-22 -28 44 53" role="img" aria-label=${t}>${Ue(t,e)}</svg>`,es={1:"c",2:"ai",3:"aci",4:"abhi",5:"abchi",6:"abefhi"},jt={a:[7,7],b:[17,7],c:[12,12],e:[7,12],f:[17,12],h:[7,17],i:[17,17]},Ht=(t,e)=>o`<svg class="die ${t}" viewBox="0 0 24 24" role="img" aria-label="${t} die: ${e}">
    <rect x="1.5" y="1.5" width="21" height="21" rx="5"/>
    ${[...es[e]??""].map(r=>h`<circle cx=${jt[r][0]} cy=${jt[r][1]} r="2.2"/>`)}</svg>`;var ts=64;function Vt(t){let e=Et(t.setup.board),r=[...e.spots.keys()];return o`<figure class="board"><svg class="map ${e.hexagons?"hexagons":"squares"} ${e.box[2]>1.15*e.box[3]?"wide":""}" viewBox=${e.box.join(" ")} role="group" aria-label=${t.t("word.board")}>
    <defs>${[0,1,2,3].map(as)}
      <marker id="ar-tip" viewBox="0 0 10 10" refX="6" refY="5" markerWidth="3.2" markerHeight="3.2" orient="auto-start-reverse"><path d="M0 0 10 5 0 10z"/></marker>
    </defs>
    <g class="roads" aria-hidden="true">${r.map(s=>ns(t,e,s))}</g>
    ${r.map(s=>is(t,e,s))}
    <g class="news" aria-hidden="true">${vs(t,e)}</g>
  </svg>${rs(t)}</figure>`}var rs=t=>o`<figcaption>
  <span>${y("0M1")} ${t.t("sex.M")}</span><span>${y("0F1")} ${t.t("sex.F")}</span><span>${y("0M1",!0)} ${t.t("word.acted")}</span>
  <span>${g("star")} ${t.t("word.new")}</span><span><i class="ages">●●○○○</i> ${t.t("word.age")}</span></figcaption>`,ss=["M-2 14 14-2M-2 2 2-2M10 14 14 10","M6 6h.01","M0 4q3-3 6 0t6 0M0 10q3-3 6 0t6 0","M6 2v8M2 6h8"],as=t=>h`<pattern id="ar-hatch-${t}" class="seat${t}" width="12" height="12" patternUnits="userSpaceOnUse"><path d=${ss[t]}/></pattern>`;function ns(t,e,r){let s=e.spots.get(r);return t.setup.board.fields[r].adjacent.filter(n=>n>r).map(n=>{let i=e.spots.get(n);return h`<path d="M${s.x} ${s.y}L${i.x} ${i.y}"/>`})}function is(t,e,r){let{x:s,y:a}=e.spots.get(r),{owner:n=null,palisade:i=!1}=t.at.fields?.[r]??{},l=[...t.people.values()].filter(m=>m.field===r),p=[n===null?"neutral":`seat${n}`,ls(t,r)?"hot":"",ds(t,r)?"changed":""],c=e.hexagons?-88:-78;return h`<g class="field ${p.join(" ")}" transform="translate(${s} ${a})" role="img" aria-label=${os(t,r,l)}>
    <path class="ground" d=${e.outline}/>
    ${n===null?d:h`<path class="hatch" d=${e.outline} fill="url(#ar-hatch-${n})"/>`}
    ${i?h`<path class="palisade" d=${e.outline} transform="scale(.97)"/>`:d}
    <path class="rim" d=${e.outline}/>
    ${ms(t,r,e.hexagons)}
    <text class="name" x=${e.hexagons?-34:-86} y=${c+8}>${r}</text>
    ${n===null?d:Le(n,e.hexagons?18:76,c+2)}
    ${us(t,r,l)}
  </g>`}function os(t,e,r){let{owner:s=null,palisade:a=!1}=t.at.fields?.[e]??{},{places:n,adjacent:i}=t.setup.board.fields[e],l=s===null?t.t("word.neutral"):`${t.t("word.house")} ${s}`,p=t.setup.board.homes.includes(e)?`, ${t.t("word.home")}`:"",c=r.map(m=>re(t,m)).join(". ")||t.t("word.none");return`${e}${p}, ${l}${a?`, ${t.t("word.palisade")}`:""}, ${t.t("word.places")} ${n}, ${t.t("word.beside")} ${i.join(" ")}: ${c}`}var ls=(t,e)=>t.at.decision?.field===e,ds=(t,e)=>k(t,"crest").some(r=>r.field===e),ps="M-40 14V-14h9v6h7v-6h9v6h6V-22h8v6h4v-6h8v14h6v-6h9v6h7v-6h9V14H9V6a9 9 0 0 0-18 0v8z",cs="M-34 14V-4l12-10 12 10V14zM-6 14V-10L8-22l14 12V14zM26 14V0l8-7 8 7v14z";function ms(t,e,r){let s=t.setup.board.homes.includes(e);if(!s&&t.setup.board.fields[e].places<2)return d;let[a,n]=s?[r?82:74,.9]:[r?92:-70,r?.42:.6];return h`<path class="building" d=${s?ps:cs} transform="translate(0 ${a}) scale(${n})"/>`}function us(t,e,r){let s=t.setup.board.fields[e].places,a=i=>(i-(s-1)/2)*ts,n=Array.from({length:s-r.length},(i,l)=>h`<circle class="free" cx=${a(r.length+l)} cy="-26" r="11"/>`);return h`<g transform="translate(0 ${s<3?16:0}) scale(${s<3?1.36:1})">${r.map((i,l)=>hs(t,i,a(l)))}${n}</g>`}function hs(t,e,r){return h`<g class="person seat${M(e.id)} ${$s(t,e.id)?"fresh":""}" transform="translate(${r} -26)">
    <title>${re(t,e)}</title>
    <g class="body"><ellipse class="halo" cy="2" rx="27" ry="31"/>${Ue(e.id,e.acted)}
    ${e.new?D("star",19,-19,17):d}</g>
    <g class="ages">${[0,1,2,3,4].map(s=>h`<circle class=${s<e.red?"red":""} cx=${(s-2)*10} cy="32" r="3.8"/>`)}</g>
    <g class="traits">${e.traits.map((s,a)=>fs(t,s,(a-1)*19))}</g>
  </g>`}var fs=(t,e,r)=>h`<g transform="translate(${r} 0)">${D(e,0,50,16)}<text y="70">${t.t(`trait.${e}`).slice(0,2)}</text></g>`,gs=["moved","born","chip","healed","tutored","courtship","attack","taken"],$s=(t,e)=>t.news.some(r=>gs.includes(r.kind)&&(r.body.char===e||r.body.partner===e||r.body.defenders?.includes(e)));function vs(t,e){let r=(n,i,l,p=d)=>{let[c,m]=[e.spots.get(i??l),e.spots.get(l)];if(c===m)return h``;let u=zt(c,m,p===d?.1:0),[f,b]=[(c.x+m.x)/2,(c.y+m.y)/2];return h`<g class="way ${n}"><path class="under" d=${u}/><path d=${u} marker-end="url(#ar-tip)"/>
      ${p===d?d:h`<g transform="translate(${f} ${b})"><circle r="19"/>${p}</g>`}</g>`},s=n=>k(t,"moved").find(i=>i.char===n.char)?.from??t.people.get(n.char)?.field;return[...k(t,"moved").filter(n=>!k(t,"attack").some(i=>i.char===n.char)).map(n=>r("move",n.from,n.to)),...k(t,"attack").map(n=>r("attack",s(n),n.field,D("swords",0,0,24))),...k(t,"courtship").map(n=>r("court",s(n),n.field,D("heart",0,0,22))),...bs(t).map(({char:n,field:i})=>r("attack",s({char:n}),i,D("swords",0,0,24)))]}function bs(t){let e=t.at.decision;return e?.attacker!==void 0&&!$(t,"attack")?[e]:[]}var ws={E01:"most",E02:"most",E03:"most",E04:"most",E05:"most",E06:"most",E07:"most",E08:"most",E09:"most",E10:"most",E11:"most",E12:"most",E13:"most",E14:"most",E15:"most",E16:"valour",E17:"rule",E18:"learning",E19:"bow",E20:"sword",E21:"magic",E22:"economy",E23:"luck",E24:"folly",E25:"coins",E26:"coins",E27:"coins",E28:"hazard",E29:"hazard",E30:"hazard",E31:"star",E32:"star",E33:"star",E34:"gift",crown:"crown",ring:"ring",shield:"shield",valour:"valour",rule:"rule",learning:"learning"};function Je(t,e){return e==="E23"&&!t.setup.traits.includes("luck")?["money",t.t("ask.money")]:[ws[e]??"scroll",t.t(`ask.${e}`)]}var Lt=(t,e)=>t.t(`card.${e}`);function Ge(t,e,...r){let[s,a]=Je(t,e),n=[.../^E\d/.test(e)?[e]:[],...r];return o`<div class="event">${g(s)}
    <div><b class="title">${Lt(t,e)}</b><p>${a}</p>${n.length?o`<span class="tag">${n.join(" · ")}</span>`:d}</div></div>`}var Ut=t=>o`<ol class="row" aria-label=${t.t("word.row")}>${(t.at.row??[]).map((e,r)=>{let s=e.id??t.unseen?.events?.[t.at.round-1+r],a=[r>0?"":t.at.round>2?t.t("word.this_round"):t.t("word.not_scored"),e.up?"":t.t("card.none")].filter(Boolean);return o`<li class="${e.up?"up":"down"} ${r===0?"now":""}">${s?Ge(t,s,...a):ys(a)}</li>`})}</ol>`,ys=t=>o`<div class="event">${g("card")}<div><b class="title">?</b><br /><span class="tag">${t.join(" · ")}</span></div></div>`;function Jt(t){let r=(t.at.evaluated??[]).map(n=>o`<span class="chip" title=${Je(t,n)[1]}>${g(Je(t,n)[0])}${Lt(t,n)}</span>`),s=t.at.actions?.discard??[],a=t.unseen?.actions??[];return o`<dl class="piles">
    <div><dt>${t.t("word.evaluated")}</dt><dd>${r.length?r:"–"}</dd></div>
    ${(t.setup.actions??[]).length===0?d:o`<div><dt>${t.t("word.deck")}</dt><dd><span class="chip">${g("card")}${t.at.actions?.deck??0}</span>${a.length?o`<small class="next">${t.t("word.next")} ${a.slice(0,3).map(n=>L(t,n)).join(", ")}</small>`:d}</dd></div>
          <div><dt>${t.t("word.discard")}</dt><dd>${s.length?s.map(n=>Be(t,n)):"–"}</dd></div>`}
  </dl>`}var L=(t,e)=>t.t(`card.${e}`),Be=(t,e)=>o`<span class="chip card" title=${e}>${g("card")}${L(t,e)}</span>`;var v=(t,e)=>o`<span class="who seat${e}">${I(e)}<bdi>${t.bots[e]}</bdi></span>`;function se(t,e){let r=t.t("word.turn"),[s,a]=(r.includes("{seat}")?r:"{seat} is to {decision}").split("{seat}");return o`${s}${e}<span>${a.replace("{decision}",t.t(`decision.${t.at.decision.kind}`))}</span>`}var x=(t,e,r)=>o`<span class="chip token">${g(e)}${t.t(`trait.${e}`)}${r===void 0?d:o` <b>${r}</b>`}</span>`,E=(t,e)=>Object.keys(e).length?Object.entries(e).map(([r,s])=>x(t,r,s)):o`<span class="none">–</span>`;var Gt=(t,e)=>o`${e.split("+").map(r=>x(t,r))}`,xs=["bow","sword","magic"],ks={traits:(t,[e])=>Gt(t,e),bid:(t,[e])=>o`${t.t("decision.bid")} <b>${e}</b>`,pass:t=>o`${t.t("word.pass")}`,pay:(t,[e])=>o`${t.t("word.pay")} ${e===void 0?"":/^\d/.test(e)?o`<b>${e}</b>`:Gt(t,e)}`,commit:(t,[e])=>Ts(t,e.split(",").map(Number)),qcommit:(t,[e,r])=>r===void 0?o`${t.t("word.none")}`:x(t,e,Number(r)),lay:(t,[e])=>x(t,e)};function Ts(t,e){let r=xs.flatMap((s,a)=>e[a]?[x(t,s,e[a])]:[]);return o`${r.length?r:t.t("word.none")}`}function P(t,e){let[r,...s]=e.split(":");return ks[r]?.(t,s)??o`${e}`}var Bt=t=>o`<section class="houses" aria-label=${t.t("word.houses")}>${t.bots.map((e,r)=>Ss(t,r))}</section>`;function Ss(t,e){let r=t.at.turn===e,s=(t.at.to_act??[]).includes(e);return o`<article class="house seat${e} ${r?"turn":""}" aria-label="${t.t("word.house")} ${e}">
    <header>${I(e)}<h3><bdi title=${t.bots[e]}>${t.bots[e]}</bdi></h3>${_s(t,e,r,s)}${Ms(t,e)}</header>
    ${Cs(t,e)}${Es(t,e)}${Rs(t,e)}${As(t,e)}${zs(t,e)}
  </article>`}var _s=(t,e,r,s)=>{let a=$(t,"end")?.ranks?.[e];return a!==void 0?o`<span class="pill">${t.t("word.place")} ${a+1}</span>`:s?o`<span class="pill on">${t.t("word.decides")}</span>`:r?o`<span class="pill">${t.t("word.in_turn")}</span>`:d};function Ms(t,e){let r=t.houses[e],s=r.vp??r.known?.vp,a=k(t,"award").filter(n=>n.seat===e).reduce((n,i)=>n+i.vp,0);return o`<span class="vp" title=${r.vp===void 0?t.t("word.awarded_openly"):d}>
    ${a?o`<em>+${a}</em>`:d}<b>${s??"?"}</b><small>${t.t("word.vp")}</small></span>`}function Cs(t,e){let r=t.houses[e],s=r.stash??r.known?.stash??{},a=r.stash?0:r.known?.unknown??r.stash_size??0,n=r.stash?"":"guessed",i=t.setup.traits.filter(l=>s[l]);return o`<div class="line"><span class="of">${t.t("word.stash")} <b>${r.stash_size??"?"}</b></span>
    <span class="tokens ${n}">${i.map(l=>x(t,l,s[l]))}
      ${a>0?o`<span class="chip back" title=${t.t("word.unseen_kinds")}>? ${a}</span>`:d}
      ${a<0?o`<span class="chip back" title=${t.t("word.gone_unseen")}>−${-a}</span>`:d}
      ${i.length||a?d:o`<span class="none">–</span>`}</span></div>`}function Es(t,e){if((t.setup.actions??[]).length===0)return d;let r=t.houses[e],s=r.hand??r.known?.hand??[],a=(r.hand_size??s.length)-s.length;return o`<div class="line"><span class="of">${t.t("word.hand")} <b>${r.hand_size??"?"}</b></span>
    <span class="tokens">${s.map(n=>Be(t,n))}
      ${Array.from({length:Math.max(a,0)},()=>o`<span class="chip back">${g("card")}?</span>`)}
      ${s.length||a>0?d:o`<span class="none">–</span>`}</span></div>`}function Rs(t,e){let r=t.own[e],s=z(t,e);return s===void 0&&!r?.committed?d:o`<div class="line secret">
    ${s===void 0?d:o`<span class="of">${t.t("word.sealed")}</span><span class="tokens">${P(t,s)}</span>`}
    ${r?.committed?o`<span class="of">${t.t("word.playable")}</span><span class="tokens">${E(t,r.committed)}</span>`:d}</div>`}function As(t,e){let r=t.houses[e],s=(t.setup.actions??[]).length===0,a=(n,i,l)=>o`<span class="count" title=${i}>${g(n)}<b>${l??"?"}</b> ${i}</span>`;return o`<div class="counters">
    ${a("flag",t.t("word.crests"),r.crests_left)}${a("trophy",t.t("word.trophies"),r.trophies)}
    ${s?a("swords",t.t("word.battles_won"),r.battles_won):a("drop",t.t("word.wounds"),r.wounds)}
    ${r.attacked?o`<span class="flag">${t.t("word.attacked")}</span>`:d}
    ${r.gained_land?o`<span class="flag">${t.t("word.gained_land")}</span>`:d}
    ${r.heirs_born?o`<span class="flag">${t.t("word.heir")} ${r.heirs_born}</span>`:d}
  </div>`}function zs(t,e){let r=k(t,"died").filter(s=>Number(s.char[0])===e);return o`<ul class="family">${Mt(t,e).map(s=>Ps(t,s))}
    ${r.map(s=>o`<li class="gone">${y(s.char)}<b>${s.char}</b> ${g("cross")} ${t.t("kind.died")}</li>`)}</ul>`}var Ps=(t,e)=>o`<li title=${re(t,e)}>${y(e.id,e.acted)}<b>${e.field}</b>
    <span class="traits">${e.traits.map(r=>o`<span>${g(r)}${t.t(`trait.${r}`)}</span>`)}</span>
    <span class="age" title=${He(t,e)}>${"●".repeat(e.red)}${"○".repeat(5-e.red)}</span>${e.new?g("star"):d}</li>`;var Os=["commit","lay","aftermath","retreat"];function It(t){let e=Os.includes(t.at.decision?.kind)?t.at.decision:null,[r,s,a]=[$(t,"attack"),$(t,"battle"),$(t,"aftermath")];if(!e&&!r&&!s&&!a)return null;let n=e?.attacker??(r?Number(r.char[0]):t.at.turn),i=e?.defender??r?.defender??Ns(t,n,s),l=e?.char??r?.char,p=[...new Set(t.news.filter(f=>js.includes(f.kind)).map(f=>f.body.char))],c=l?[l]:p.filter(f=>M(f)===n),m=e?.defenders??r?.defenders??e?.survivors??p.filter(f=>M(f)!==n),u=i??(m[0]===void 0?null:M(m[0]));return{seats:[n,u],field:e?.field??r?.field??null,fighters:[c,m],decision:e,over:s}}var js=["chip","died","moved"];function Ns(t,e,r){return r&&r.winner!==null&&r.winner!==e?r.winner:t.bots.length===2?1-e:null}var Ft=t=>It(t)!==null;function qt(t){let e=It(t);return e?o`<div class="part battle"><h3>${g("swords")} ${t.t("word.battle")}${e.field?o` ${t.t("word.on")} <b>${e.field}</b>`:d}
      ${e.decision?.mercenaries?o`<span class="chip">${t.t("word.mercenaries")} +1</span>`:d}</h3>
    <div class="sides">${Dt(t,e,0)}${Us(t,e)}${Dt(t,e,1)}</div>${Js(t,e)}</div>`:d}function Dt(t,e,r){let s=e.seats[r],a=t.t(r===0?"word.attacker":"word.defender");return o`<div class="side ${r?"right":"left"}">
    <div class="head"><small>${a}</small>${s===null?d:v(t,s)}</div>
    <div class="fighters">${e.fighters[r].map(n=>Hs(t,n))}</div>
    ${Vs(t,e,r)}</div>`}var Hs=(t,e)=>o`<span class="one">${y(e)}<b>${e}</b>${(t.people.get(e)?.traits??[]).map(r=>o`<span title=${t.t(`trait.${r}`)}>${g(r)}</span>`)}</span>`;function Vs(t,e,r){let s=e.seats[r];if(e.over)return o`<div class="stake"><small>${t.t("word.committed")}</small> ${E(t,e.over.committed[r])}</div>`;if(s===null||!e.decision)return d;if(e.decision.kind==="commit")return Ls(t,s);if(e.decision.kind!=="lay")return d;let{taught:a,playable:n}=e.decision,i=t.own[s]?.committed;return o`<div class="stake"><small>${t.t("word.playable")}</small> ${i?E(t,i):o`<span class="chip back">? ${n[r]}</span>`}
    ${a[r].length?o`<small>${t.t("word.taught")}</small> ${a[r].map(l=>x(t,l))}`:d}</div>`}function Ls(t,e){let r=z(t,e),s=(t.at.to_act??[]).includes(e),a=Object.entries(t.own[e]?.houses?.[e]?.stash??{}).filter(([n])=>["bow","sword","magic"].includes(n));return r!==void 0?o`<div class="stake"><small>${t.t("word.sealed")}</small> <span class="secret">${P(t,r)}</span></div>`:o`<div class="stake"><small>${s?t.t("word.to_commit"):t.t("word.sealed")}</small>
    ${s&&a.length?o`${t.t("word.of")} ${a.map(([n,i])=>x(t,n,i))}`:d}</div>`}function Us(t,e){let r=$(t,"laid"),s=e.decision?.laid?e.decision.laid[0].map((n,i)=>[n,e.decision.laid[1][i]]):r?[r.traits]:[],a=e.over?.wins??e.decision?.wins??$(t,"laid")?.wins;return o`<div class="clashes">
    ${a?o`<div class="wins" title=${t.t("word.wins")}><b>${a[0]}</b><span>:</span><b>${a[1]}</b></div>`:o`<div class="wins">${g("swords")}</div>`}
    ${s.map(([n,i])=>o`<div class="clash">${x(t,n)}<span>×</span>${x(t,i)}</div>`)}
  </div>`}function Js(t,e){let{over:r,decision:s}=e,a=$(t,"aftermath"),n=[$(t,"attack")?.defenders.length===0?o`<span>${t.t("word.undefended")}</span>`:d,r?o`<span>${r.winner===null?t.t("word.undecided"):o`${v(t,r.winner)} ${t.t("word.winner")}`}</span>`:d,...k(t,"died").map(i=>o`<span>${g("cross")}<b>${i.char}</b> ${t.t("word.dies")}</span>`),a?o`<span>${v(t,a.seat)}: <b>${a.action.replace(":"," ")}</b></span>`:d,s?.kind==="aftermath"?o`<span>${se(t,v(t,s.attacker))}</span>`:d,s?.kind==="retreat"?o`<span>${se(t,o`<b>${s.fleeing[0]}</b>`)}</span>`:d].filter(i=>i!==d);return n.length?o`<p class="outcome">${n}</p>`:d}var Gs=["bid","pay","hazard","victim"],Bs=["event","measures","bids","due","paid","award"];function Wt(t){let e=Gs.includes(t.at.decision?.kind)?t.at.decision:null,r=t.news.some(a=>Bs.includes(a.kind));if(!e&&!r)return d;let s=e?.event??$(t,"event")?.event??$(t,"award")?.event??t.at.evaluated?.at(-1);return o`<div class="part contest"><h3>${t.t("kind.event")}${e?o` · <span>${t.t(`decision.${e.kind}`)}</span>`:d}</h3>
    <div class="body">${s?Ge(t,s):d}
    <ul class="answers">${t.bots.map((a,n)=>Ds(t,n,e))}</ul></div></div>`}function Ds(t,e,r){let s=k(t,"award").filter(n=>n.seat===e),a=k(t,"drew").filter(n=>n.seat===e);return o`<li>${v(t,e)}<span class="tokens">${r?Is(t,e,r):Fs(t,e)}</span>
    <span class="won">${s.map(n=>o`<b class="prize">${g("star")}+${n.vp} ${t.t("word.vp")}</b>`)}
      ${a.map(n=>o`<span class="chip card">${g("card")}${n.card?L(t,n.card):"+1"}</span>`)}</span></li>`}function Is(t,e,{kind:r,due:s,trait:a,missing:n,aged:i}){if(r==="victim")return o`${n[e]?o`${t.t("word.to_age")} ${n[e]}`:o`<span class="none">–</span>`}
      ${i.filter(c=>Number(c[0])===e).map(c=>o`${y(c)}<b>${c}</b>`)}`;let l=z(t,e),p=(t.at.to_act??[]).includes(e);return o`${s?o`${t.t("kind.due")} ${x(t,a,s[e])} `:d}
    ${l===void 0?o`<span class="none">${p?t.t("word.thinks"):t.t("word.sealed")}</span>`:o`<span class="secret">${P(t,l)}</span>`}`}function Fs(t,e){let r=$(t,"measures")?.measures??$(t,"bids")?.bids;if(r)return qs(r[e],Math.max(1,...r));let s=$(t,"paid")?.paid;return s?o`${E(t,s[e])}`:d}var qs=(t,e)=>o`<svg class="measure" viewBox="0 0 130 16" role="img" aria-label=${t}>${h`<rect class="of" width="100" height="16" rx="3"/><rect class="is" width=${100*t/e} height="16" rx="3"/><text x="108" y="13">${t}</text>`}</svg>`;function Xt(t){let e=[...Ks(t),qt(t),Wt(t),aa(t)].filter(r=>r!==d);return o`<section class="scene" aria-label=${t.t("word.scene")}>${e}</section>`}var S=(t,e,...r)=>o`<div class="part ${t}"><h3>${e}</h3><div class="body">${r}</div></div>`,F=(t,e)=>o`<span class="tokens">${e.map(r=>x(t,r))}</span>`,Ws=[["consent",(t,e)=>S("",t.t("word.courtship"),v(t,e.seat),o`<b>${t.t(e.consent?"word.yes":"word.no")}</b>`)],["rolled",(t,e)=>Qs(t,e)],["born",(t,e)=>Zs(t,e)],["taken",(t,e)=>ea(t,e)],["card",(t,e)=>S("",t.t("kind.card"),v(t,e.seat),o`<span class="chip card">${g("card")}${L(t,e.card)}</span>`,o`<b>${(e.action??"").split(":").slice(2).join(" ")}</b>`)],["spied",(t,e)=>ta(t,e)],["stolen",(t,e)=>S("",t.t("kind.stolen"),v(t,e.seat),e.trait?x(t,e.trait,1):o`<span class="chip back">? 1</span>`,t.t("word.from"),v(t,e.from))],["died",(t,e)=>Ft(t)?d:S("death",t.t("kind.died"),y(e.char),o`<b>${e.char}</b>`,e.by===null?d:o`${t.t("word.by")} ${v(t,e.by)}`)]];function Ks(t){let e=$(t,"end"),r=$(t,"setup");return[e?Xs(t,e):d,r?Ys(t,r):d,...Ws.flatMap(([s,a])=>k(t,s).map(n=>a(t,n)))]}var Xs=(t,{vp:e,ranks:r})=>S("ending",t.t("word.over"),o`<ol class="places">${[...t.bots.keys()].sort((s,a)=>r[s]-r[a]).map(s=>o`<li><b>${r[s]+1}.</b> ${v(t,s)} <b>${e[s]}</b> ${t.t("word.vp")}</li>`)}</ol>`),Ys=(t,{houses:e})=>S("",t.t("kind.setup"),e.map((r,s)=>o`<div class="row-of">${v(t,s)}${y(`${s}M1`)}${F(t,r.man)}${y(`${s}F1`)}${F(t,r.woman)}</div>`)),Yt=(t,e,r,s)=>o`<span class="dice">${r.map((a,n)=>o`<span class="cast">${Ht(e,a)}${g(s[n])}<small>${t.t(`trait.${s[n]}`)}</small></span>`)}</span>`,Qs=(t,e)=>t.at.decision?.kind==="reroll"&&t.at.decision.die===e.die?d:S("",t.t(`die.${e.die}`),Yt(t,e.die,e.dice,e.traits));function Zs(t,{char:e,field:r,traits:s,why:a,parents:n}){let i=n.length?o`<span class="couple">${ae(t,n[0])}${g("heart")}${ae(t,n[1])}</span>`:d;return S("birth",o`${g("star")} ${t.t(`why.${a}`)}`,i,y(e),o`<b>${e}</b> ${t.t("word.on")} <b>${r}</b>`,F(t,s))}var ae=(t,e)=>e===null?o`<i>${t.t("parent.none")}</i>`:o`<span class="one">${y(e)}<b>${e}</b></span>`,ea=(t,e)=>S("",t.t(`why.${e.why}`),v(t,e.seat),e.char?y(e.char):d,e.traits?e.traits.map(r=>o`+ ${x(t,r)}`):o`<span class="chip back">? ${e.count}</span>`),ta=(t,e)=>S("",t.t("kind.spied"),v(t,e.seat),t.t("word.behind_screen"),v(t,e.of),e.stash?o`<span class="tokens">${E(t,e.stash)}${e.hand.map(r=>o`<span class="chip card">${L(t,r)}</span>`)}</span>`:d),ra={setup_man:t=>Kt(t),setup_woman:t=>Kt(t),restore:t=>o`<span class="none">${t.t("word.nobody_left")}</span>`,reroll:(t,e)=>[ge(t,e),Yt(t,e.die,e.dice,e.traits),e.slots?ia(t,e.slots):d],heir:(t,e)=>[ge(t,e),F(t,e.traits)],consent:(t,e)=>ge(t,e),dowry:(t,e)=>[ge(t,e),F(t,t.people.get(e.char)?.traits??[])]},sa=["commit","lay","aftermath","retreat","bid","pay","hazard","victim"];function aa(t){let e=t.at.decision;if(!e||sa.includes(e.kind))return d;let r=t.at.to_act??[],s=r.length===1?se(t,v(t,r[0])):t.t(`decision.${e.kind}`);return S("ask",s,ra[e.kind]?.(t,e)??na(t))}function na(t){let e=[...t.people.values()].filter(s=>Number(s.id[0])===t.at.turn&&!s.acted),r=t.at.mercenaries?o`<span class="chip">${g("swords")}${t.t("word.mercenaries")}</span>`:d;return[e.length?e.map(s=>ae(t,s.id)):o`<span class="none">${t.t("word.all_acted")}</span>`,r]}var ge=(t,{char:e,partner:r,field:s})=>o`<span class="couple">${e?o`${ae(t,e)}${g("heart")}${ae(t,r)}`:d} ${t.t("word.on")} <b>${s}</b></span>`,ia=(t,e)=>o`<span class="slots" title=${t.t("word.faces")}>${e.map((r,s)=>o`<span>${s+1} ${g(r)}</span>`)}</span>`,Kt=t=>t.bots.map((e,r)=>{let s=t.own[r]?.decision?.man,a=z(t,r),n=(t.at.to_act??[]).includes(r);return o`<div class="row-of">${v(t,r)}${s?o`${y(`${r}M1`)}${F(t,s)}`:d}
      ${a?o`<span class="tokens secret">${P(t,a)}</span>`:o`<span class="none">${n?t.t("word.thinks"):t.t("word.sealed")}</span>`}</div>`});var Qt=O`
  .ar { container: ar / inline-size; --s: var(--muted); font-size: 0.875rem; line-height: 1.45; }
  .ar .court { display: grid; gap: 0.9rem; padding: clamp(0.6rem, 2.2cqi, 1.25rem); grid-template-columns: minmax(0, 1fr); }
  .ar h3, .ar p, .ar ul, .ar ol, .ar dl, .ar dd { margin: 0; padding: 0; list-style: none; }
  .ar .seat0 { --s: var(--seat-0, #0067a5); } .ar .seat1 { --s: var(--seat-1, #bd5200); }
  .ar .seat2 { --s: var(--seat-2, #00775a); } .ar .seat3 { --s: var(--seat-3, #a2447f); }
  .ar small { color: var(--muted); font-size: 0.75rem; }
  .ar .none { color: var(--muted); }

  /* Signs */
  .ar .sign { fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
  .ar .sign .full { fill: currentColor; }
  .ar .icon { width: 1.05em; height: 1.05em; flex: none; vertical-align: -0.16em; }
  .ar .badge { width: 1.45em; height: 1.45em; padding: 0; background: none; border-radius: 0; flex: none; vertical-align: -0.38em; }
  .ar .figure { width: 1.35em; height: 1.65em; flex: none; vertical-align: -0.45em; }
  .ar .crest path { fill: var(--s); stroke: var(--card, #fff); stroke-width: 1.5; }
  .ar .crest text { fill: var(--card, #fff); font: 700 15px var(--sans, sans-serif); text-anchor: middle; }
  .ar .pawn path, .ar .pawn circle { fill: var(--s); stroke: var(--card, #fff); stroke-width: 1.5; stroke-linejoin: round; }
  .ar .pawn text { fill: var(--card, #fff); font: 700 13.5px var(--sans, sans-serif); text-anchor: middle; }
  .ar .pawn.acted path, .ar .pawn.acted circle { fill: color-mix(in srgb, var(--s) 16%, var(--card, #fff)); stroke: var(--s); stroke-width: 2; }
  .ar .pawn.acted text { fill: var(--s); }
  .ar .die { width: 1.5em; height: 1.5em; vertical-align: -0.4em; fill: var(--card, #fff); }
  .ar .die rect { fill: var(--ink); } .ar .die.red rect { fill: var(--bad, #ad3413); }

  /* Chips: tokens, cards, notes */
  .ar .tokens { display: inline-flex; flex-wrap: wrap; gap: 0.25rem; align-items: center; min-width: 0; }
  .ar .chip { display: inline-flex; gap: 0.3em; align-items: center; padding: 0 0.5em; border: 1px solid var(--line); border-radius: 99px; background: var(--card); font-size: 0.8125rem; line-height: 1.55; white-space: nowrap; }
  .ar .chip.card { border-radius: 5px; background: var(--wash); border-color: transparent; }
  .ar .chip.back { border-style: dashed; border-color: var(--strong-line, var(--muted)); color: var(--muted); background: repeating-linear-gradient(45deg, transparent 0 4px, var(--sunk) 4px 8px); }
  .ar .guessed .token { border-style: dashed; }
  .ar .pill { font-size: 0.75rem; line-height: 1.5; padding: 0 0.6em; border-radius: 99px; border: 1px solid var(--s); color: var(--s); white-space: nowrap; }
  .ar .pill.on { background: var(--s); color: var(--card, #fff); font-weight: 600; }
  .ar .who { display: inline-flex; gap: 0.35em; align-items: center; font-weight: 600; min-width: 0; max-width: 100%; }
  .ar .who bdi { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; max-width: 11rem; }
  .ar .one { display: inline-flex; gap: 0.25em; align-items: center; white-space: nowrap; }

  /* Top: the clock of the game and the row of events */
  .ar .top { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.75rem 1.25rem; align-items: stretch; }
  .ar .clock { display: flex; flex-direction: column; justify-content: center; min-width: 7.5rem; }
  .ar .clock b { font: 600 1.3rem/1.2 var(--serif, serif); text-transform: capitalize; }
  .ar .phase { color: var(--muted); }
  .ar .order { display: flex; gap: 0.2rem; margin-top: 0.25rem; }
  .ar .order span { padding: 0.1rem 0.15rem; border-bottom: 2.5px solid transparent; }
  .ar .order .on { border-color: var(--accent); }
  .ar .order .badge { width: 1.25rem; height: 1.25rem; display: block; }
  .ar .row { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 0.5rem; }
  .ar .row li { display: flex; border: 1px solid var(--line); border-radius: 9px; background: var(--card); min-width: 0; min-height: 5.1rem; }
  .ar .row .now { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); background: var(--wash); }
  .ar .row .down { border-style: dashed; background: repeating-linear-gradient(45deg, var(--card) 0 6px, var(--sunk) 6px 12px); }
  .ar .row .down .event { opacity: 0.75; }
  .ar .event { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0 0.5rem; padding: 0.45rem 0.6rem; width: 100%; align-content: start; }
  .ar .event .icon { width: 1.3rem; height: 1.3rem; margin-top: 0.1rem; color: var(--accent); }
  .ar .event .title { font: 600 0.9375rem/1.25 var(--serif, serif); }
  .ar .event .title::first-letter { text-transform: capitalize; }
  .ar .event p { font-size: 0.75rem; line-height: 1.3; color: var(--muted); text-wrap: balance; }
  .ar .event .tag { font-size: 0.6875rem; color: var(--muted); } .ar .now .tag { color: var(--accent); font-weight: 600; }

  /* The strip of what happens */
  .ar .scene { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: stretch; align-content: flex-start; min-height: 9.6rem; padding: 0.55rem; border-radius: 10px; background: var(--sunk); }
  .ar .part { flex: 0 1 auto; min-width: 0; max-width: 100%; padding: 0.4rem 0.7rem 0.5rem; border-radius: 8px; background: var(--card); border: 1px solid var(--line); }
  .ar .part h3 { display: flex; flex-wrap: wrap; gap: 0.1rem 0.4em; align-items: center; font-size: 0.75rem; font-weight: 600; color: var(--muted); line-height: 1.6; }
  .ar .part h3 .who { color: var(--ink); font-size: 0.875rem; }
  .ar .part .body { display: flex; flex-wrap: wrap; gap: 0.3rem 0.6rem; align-items: center; margin-top: 0.15rem; }
  .ar .part.ask { border-color: var(--accent); flex-grow: 1; }
  .ar .part.battle, .ar .part.contest { flex: 1 1 29rem; }
  .ar .part.battle + .ask, .ar .part.contest + .ask { flex: 1 1 10rem; }
  .ar .part.death { border-left: 3px solid var(--bad, #ad3413); }
  .ar .part.birth { border-left: 3px solid var(--good, #1a6b3a); }
  .ar .couple { display: inline-flex; gap: 0.35em; align-items: center; }
  .ar .couple > .icon, .ar .heart { color: var(--bad, #ad3413); }
  .ar .dice { display: inline-flex; gap: 0.8rem; }
  .ar .cast { display: inline-flex; gap: 0.3rem; align-items: center; }
  .ar .slots { display: inline-flex; gap: 0.5rem; color: var(--muted); font-size: 0.8125rem; }
  .ar .row-of { display: flex; flex-wrap: wrap; gap: 0.3rem 0.5rem; align-items: center; width: 100%; }
  .ar .row-of .who { min-width: 7rem; }
  .ar .secret { border-bottom: 2px dotted var(--accent); }
  .ar .places { display: grid; gap: 0.2rem; font-size: 1rem; } .ar .places li { display: flex; gap: 0.4rem; align-items: center; }

  .ar .sides { display: grid; grid-template-columns: minmax(0, 1fr) max-content minmax(0, 1fr); gap: 1rem; align-items: start; margin-top: 0.2rem; }
  .ar .side { display: grid; gap: 0.3rem; justify-items: start; }
  .ar .side.right { justify-items: end; text-align: right; }
  .ar .side .head { display: grid; } .ar .side.right .head { justify-items: end; }
  .ar .fighters { display: flex; flex-wrap: wrap; gap: 0.3rem 0.8rem; }
  .ar .side.right .fighters, .ar .side.right .stake { justify-content: flex-end; }
  .ar .stake { display: flex; flex-wrap: wrap; gap: 0.3rem; align-items: center; min-height: 1.6em; }
  .ar .clashes { display: grid; gap: 0.25rem; justify-items: center; }
  .ar .wins { display: flex; gap: 0.4rem; font: 600 1.6rem/1.15 var(--serif, serif); } .ar .wins span { color: var(--muted); font-weight: 400; }
  .ar .clash { display: grid; grid-template-columns: 1fr max-content 1fr; gap: 0.4rem; align-items: center; color: var(--muted); }
  .ar .clash .chip { color: var(--ink); } .ar .clash .chip:first-child { justify-self: end; }
  .ar .outcome { display: flex; flex-wrap: wrap; gap: 0.1rem 1rem; justify-content: center; margin-top: 0.3rem; }
  .ar .outcome .who { vertical-align: middle; }
  .ar .contest .body { align-items: flex-start; gap: 0.3rem 1rem; }
  .ar .contest .event { width: auto; max-width: 10.5rem; padding: 0.2rem 0; }
  .ar .answers { display: grid; gap: 0.1rem; flex: 1 1 17rem; min-width: 0; }
  .ar .answers li { display: flex; flex-wrap: wrap; gap: 0.1rem 0.6rem; align-items: center; min-height: 1.6rem; }
  .ar .answers .who { width: 8.25rem; }
  .ar .prize { display: inline-flex; gap: 0.25em; align-items: center; color: var(--accent); white-space: nowrap; }
  .ar .measure { width: 6.5rem; height: 1rem; display: block; }
  .ar .measure .of { fill: var(--sunk); } .ar .measure .is { fill: var(--accent); opacity: 0.7; }
  .ar .measure text { fill: var(--ink); font: 600 14px var(--sans, sans-serif); }

  /* The board */
  .ar .map { display: block; width: 100%; max-height: 44rem; margin: 0 auto; overflow: visible; font-family: var(--sans, sans-serif); }
  .ar .map.hexagons { max-height: 46rem; }
  .ar .roads path { stroke: var(--strong-line, var(--muted)); stroke-width: 12; stroke-linecap: butt; opacity: 0.55; }
  .ar .ground { fill: var(--card); }
  .ar .neutral .ground { fill: var(--sunk); }
  .ar .field:not(.neutral) .ground { fill: color-mix(in srgb, var(--s) 13%, var(--card, #fff)); }
  .ar pattern path { stroke: var(--s); stroke-width: 1.6; fill: none; opacity: 0.24; stroke-linecap: round; }
  .ar pattern.seat1 path { stroke-width: 3.2; opacity: 0.3; }
  .ar .rim { fill: none; stroke: var(--line); stroke-width: 2; stroke-linejoin: round; }
  .ar .field:not(.neutral) .rim { stroke: color-mix(in srgb, var(--s) 70%, var(--card, #fff)); stroke-width: 2.5; }
  .ar .field.hot .rim { stroke: var(--accent); stroke-width: 6; stroke-dasharray: 14 8; }
  .ar .field.changed .rim { stroke: var(--accent); stroke-width: 7; }
  .ar .palisade { fill: none; stroke: var(--ink); stroke-width: 9; stroke-dasharray: 5 5; opacity: 0.75; }
  .ar .field .name { fill: var(--muted); font-size: 20px; font-weight: 600; }
  .ar .building { fill: var(--s); opacity: 0.32; } .ar .neutral .building { fill: var(--muted); opacity: 0.3; }
  .ar .free { fill: var(--card); fill-opacity: 0.6; stroke: var(--strong-line, var(--muted)); stroke-width: 2; stroke-dasharray: 4 4; }
  .ar .halo { fill: none; }
  .ar .fresh .halo { fill: var(--wash); stroke: var(--accent); stroke-width: 3; }
  .ar .person .star { color: var(--accent); }
  .ar .ages circle { fill: var(--card); stroke: var(--strong-line, var(--muted)); stroke-width: 1.2; }
  .ar .ages .red { fill: var(--bad, #ad3413); stroke: var(--bad, #ad3413); }
  .ar .map .traits { color: var(--ink); }
  .ar .map .traits text { fill: var(--ink); font-size: 11.5px; text-anchor: middle; }
  .ar .way path { fill: none; stroke: var(--accent); stroke-width: 7; stroke-linecap: round; }
  .ar .way .under { stroke: var(--card); stroke-width: 13; }
  .ar .way.attack { color: var(--bad, #ad3413); } .ar .way.attack path:not(.under) { stroke: var(--bad, #ad3413); }
  .ar .way.attack > path:not(.under) { stroke-dasharray: 1 13; }
  .ar .way circle { fill: var(--card); stroke: currentColor; stroke-width: 2.5; }
  .ar .way .sign path { stroke: currentColor; stroke-width: 2; } .ar .way .sign .full { fill: currentColor; }
  .ar .way.court { color: var(--accent); } .ar .way.court > path:not(.under) { stroke-dasharray: 3 12; }
  .ar marker path { fill: context-stroke; stroke: none; }

  .ar .board { margin: 0; min-width: 0; }
  .ar figcaption { display: flex; flex-wrap: wrap; gap: 0.1rem 1.1rem; justify-content: center; margin-top: 0.4rem; font-size: 0.75rem; color: var(--muted); --s: var(--muted); }
  .ar figcaption .seat0 { --s: var(--muted); } .ar figcaption .ages { color: var(--bad, #ad3413); font-style: normal; font-size: 0.6rem; }
  .ar figcaption .figure { width: 1.2rem; height: 1.4rem; } .ar figcaption .pawn text { display: none; }

  /* Houses */
  .ar .houses { display: grid; gap: 0.7rem; grid-template-columns: repeat(auto-fit, minmax(min(18.5rem, 100%), 1fr)); }
  .ar .players3 .house:last-child { grid-column: 1 / -1; }
  .ar .house { display: grid; gap: 0.4rem; align-content: start; min-width: 0; padding: 0.65rem 0.8rem; border: 1px solid var(--line); border-top: 4px solid var(--s); border-radius: 10px; background: var(--card); }
  .ar .house.turn { background: color-mix(in srgb, var(--s) 6%, var(--card, #fff)); border-color: var(--s); }
  .ar .house header { display: flex; flex-wrap: nowrap; gap: 0.5rem; align-items: center; margin: 0; justify-content: flex-start; }
  .ar .house header .badge { width: 1.8rem; height: 1.8rem; }
  .ar .house h3 { font: 600 1.0625rem/1.3 var(--serif, serif); min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .ar .vp { margin-left: auto; display: inline-flex; gap: 0.3rem; align-items: baseline; white-space: nowrap; }
  .ar .vp b { font: 600 1.45rem/1 var(--serif, serif); } .ar .vp em { color: var(--accent); font-style: normal; font-weight: 600; }
  .ar .line { display: flex; flex-wrap: wrap; gap: 0.25rem 0.5rem; align-items: baseline; min-height: 1.5rem; }
  .ar .line .of { color: var(--muted); font-size: 0.8125rem; min-width: 4.4rem; } .ar .line .of b { color: var(--ink); }
  .ar .line .tokens { flex: 1; }
  .ar .line.secret { border: 1px dashed var(--accent); border-radius: 7px; padding: 0.2rem 0.5rem; background: var(--wash); }
  .ar .counters { display: flex; flex-wrap: wrap; gap: 0.15rem 0.9rem; font-size: 0.8125rem; color: var(--muted); align-items: center; }
  .ar .counters b { color: var(--ink); }
  .ar .counters .flag { color: var(--s); font-weight: 600; }
  .ar .family { display: none; gap: 0.15rem; border-top: 1px solid var(--line); padding-top: 0.4rem; }
  .ar .family li { display: flex; flex-wrap: wrap; gap: 0.1rem 0.5rem; align-items: center; font-size: 0.8125rem; }
  .ar .family b { min-width: 1.6em; }
  .ar .family .traits { display: inline-flex; flex-wrap: wrap; gap: 0 0.55rem; flex: 1; } .ar .family .traits span { white-space: nowrap; }
  .ar .family .traits .icon { margin-right: 0.2em; } .ar .family .traits { font-size: 0.75rem; }
  .ar .family .star { color: var(--accent); }
  .ar .family .age { color: var(--bad, #ad3413); letter-spacing: 0.05em; font-size: 0.7rem; white-space: nowrap; }
  .ar .family .gone { color: var(--muted); }

  .ar .piles { display: flex; flex-wrap: wrap; gap: 0.4rem 1.75rem; border-top: 1px solid var(--line); padding-top: 0.7rem; }
  .ar .piles > div { display: flex; flex-wrap: wrap; gap: 0.2rem 0.6rem; align-items: center; }
  .ar .piles dt { color: var(--muted); font-size: 0.8125rem; } .ar .piles dd { display: flex; flex-wrap: wrap; gap: 0.25rem; align-items: center; }
  .ar .piles .next { margin-left: 0.4em; }

  @container ar (min-width: 62rem) {
    /* The board stands on the left, as large as the height of the screen lets it; all else is beside it. */
    .ar .court { --high: max(25rem, 100svh - 17.5rem); grid-template-columns: minmax(0, min(62%, var(--wide, var(--high)))) minmax(0, 1fr); grid-template-rows: repeat(2, max-content) 1fr; }
    .ar .court:has(.wide) { --wide: calc(1.3 * var(--high)); }
    .ar .board { grid-column: 1; grid-row: 1 / span 3; } .ar .map { max-height: min(44rem, var(--high)); }
    .ar .top, .ar .scene, .ar .court .houses { grid-column: 2; } .ar .piles { grid-column: 1 / -1; }
    .ar .court .houses { align-content: start; }
    .ar .top { grid-template-columns: minmax(0, 1fr); } .ar .row { grid-template-columns: repeat(auto-fit, minmax(6.75rem, 1fr)); }
    .ar .clock { flex-direction: row; align-items: baseline; justify-content: flex-start; gap: 0 0.75rem; } .ar .clock .order { margin: 0 0 0 auto; align-self: center; }
    .ar .part.battle, .ar .part.contest { flex-basis: 100%; }
  }
  @container ar (max-width: 47rem) {
    .ar .top { grid-template-columns: minmax(0, 1fr); }
    .ar .clock { flex-direction: row; flex-wrap: wrap; align-items: center; justify-content: flex-start; gap: 0 0.75rem; }
    .ar .clock .order { margin: 0 0 0 auto; }
    .ar .row li { min-height: 4.2rem; }
  }
  @container ar (max-width: 40rem) {
    .ar .top { display: contents; }
    .ar .board { order: 1; } .ar .scene { order: 2; } .ar .row { order: 3; } .ar .houses { order: 4; } .ar .piles { order: 5; }
    .ar .row { grid-template-columns: repeat(2, minmax(0, 1fr)); }
    .ar .map .traits { display: none; }
    .ar .person .body { transform: translateY(14px) scale(1.28); } .ar .person .ages { transform: translateY(30px) scale(1.25); }
    .ar .family { display: grid; }
    .ar figcaption { gap: 0.1rem 0.7rem; }
    .ar .sides { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0.4rem 0.75rem; }
    .ar .sides .clashes { grid-row: 2; grid-column: 1 / -1; }
    .ar .field .name { font-size: 26px; }
  }
  @media (forced-colors: active) { .ar .pawn, .ar .crest, .ar .ground, .ar .hatch { forced-color-adjust: none; } }
`;function oa(t){let e=St(t);return o`<div class="ar"><div class="court players${e.bots.length}">
    <div class="top">${la(e)}${Ut(e)}</div>
    ${Xt(e)}${Vt(e)}${Bt(e)}${Jt(e)}
  </div></div>`}function la(t){let e=t.at.order??[];return o`<div class="clock">
    <p><b>${t.t("word.round")} ${t.at.round}</b> <small>${t.t("word.of")} ${t.at.rounds}</small></p>
    <p class="phase">${t.t(`phase.${t.at.phase}`)}</p>
    <p class="order" aria-label=${t.t("word.order")}>${e.map(r=>o`<span class=${r===t.at.turn?"on":""}>${I(r)}</span>`)}</p>
  </div>`}var da=(t,e)=>t.kind.startsWith("@")?null:he(t,e),Zt={draw:oa,styles:Qt,story:da};var pa={G:"M1 6.500 7 9c1.200-2.300 3-3.500 5-3.500S15.800 6.700 17 9l6-2.500-4.600 7.400C18 18 15.500 21 12 21s-6-3-6.400-7.100zM9 12a1.600 1.600 0 1 0 .01 0zM15 12a1.600 1.600 0 1 0 .01 0zM9.500 17h5l-2.500 1.600z",K:"M12 1.500 20.500 4.500v6.500c0 5.700-3.500 9.300-8.500 11.500-5-2.200-8.500-5.800-8.500-11.500V4.500zM10.700 6v4.200H6.500v2.600h4.200V18.500h2.600v-5.700h4.200v-2.600h-4.200V6z",U:"M12 2c-5.200 0-9 3.500-9 8.200 0 3 1.500 5.100 3.700 6.400V21h2.400v-2.200h1.700V21h2.400v-2.200h1.700V21h2.400v-4.400c2.200-1.300 3.700-3.400 3.700-6.400C21 5.500 17.200 2 12 2zM8.300 8.300a2.200 2.200 0 1 0 .01 0zM15.700 8.300a2.200 2.200 0 1 0 .01 0zM12 13l1.500 2.600h-3z",W:"M10.900 2h2.200v3.200C16.500 3.200 19.500 2.800 22 3c-1.700 3.400-1.700 7.300 0 10.700-2.500.2-5.500-.2-8.900-2.200V22h-2.200V11.500C7.500 13.500 4.500 13.900 2 13.700c1.700-3.400 1.700-7.300 0-10.700 2.500-.2 5.500.2 8.900 2.200z",X:"M8.700 4.500a7.500 7.500 0 1 0 .01 0zM15.300 4.500a7.500 7.500 0 1 0 .01 0z",N:"M12.500 1c2.900 4.700 4.700 9.200 5.500 13.500h2.800c.9 2.400.2 4.700-1.600 6H4.800c-1.800-1.300-2.500-3.600-1.600-6H6C6.800 10 9 5.200 12.500 1zM6.500 16.500a.9.9 0 0 0 0 1.900h11a.9.9 0 0 0 0-1.900z",A:"M1 21.500 8.500 4.500 13 12l3-4 7 13.500zM8.600 8.600 6.300 14l2-1 1.700 1.700 1.300-1.300z",T:"M2 2.500c3 .6 5 2.200 6 4.500h8c1-2.300 3-3.900 6-4.500.6 4.300-.8 7.500-3.600 9.200V15c0 4.200-2.700 7-6.400 7s-6.400-2.800-6.400-7v-3.300C2.800 10 1.400 6.800 2 2.500zM9.200 10.500a1.600 1.600 0 1 0 .01 0zM14.800 10.500a1.600 1.600 0 1 0 .01 0zM8.300 19l.9-3.500 1 2h3.600l1-2 .9 3.500z",D:"M12.500 1c.7 4.300 6.500 6.700 6.500 13 0 4.800-3 8.500-7 8.500S5 18.800 5 14.500c0-3.200 1.600-5.600 3.600-7.200-.2 2.400.4 3.800 1.700 4.400C9.800 7.500 10.600 3.600 12.500 1zM12.200 13.500c-.2 1.600-2.700 2.700-2.700 5.200 0 1.600 1.100 2.600 2.600 2.600s2.600-1.100 2.600-2.700c0-2.100-1.800-3-2.500-5.100z",S:"M.8 12C3.800 7 7.700 4.300 12 4.300S20.200 7 23.200 12c-3 5-6.900 7.700-11.200 7.700S3.800 17 .8 12zM12 7a5 5 0 1 0 .01 0zM12 9.600a2.400 2.400 0 1 1-.01 0z"},er=(t,e)=>`${e(`faction.${t[0]}`)} ${t.slice(1)}`,De=(t,e)=>h`<path class="emblem" fill-rule="evenodd" transform=${e} d=${pa[t]??""} />`,q=t=>o`<svg class="sign of-${t}" viewBox="0 0 24 24" aria-hidden="true">${De(t,"")}</svg>`;function $e(t,e,r=""){let[s,a]=[t[0],t.slice(1)];return o`<svg class="card of-${s} ${r}" viewBox="0 0 60 84" role="img" aria-label=${er(t,e)} data-card=${t}>
    <rect class="face" x="1" y="1" width="58" height="82" rx="7" />
    <text class="value" x="12" y="22" text-anchor="middle">${a}</text>
    ${De(s,"translate(5.500 27) scale(.54)")}
    <text class="letter" x="12" y="54" text-anchor="middle">${s}</text>
    <g class="large">${De(s,"translate(25 44) scale(1.250)")}</g>
  </svg>`}var Ie=(t="")=>o`<svg class="card back ${t}" viewBox="0 0 60 84" aria-hidden="true">
  <rect class="face" x="1" y="1" width="58" height="82" rx="7" />
  <rect class="frame" x="7" y="7" width="46" height="70" rx="4" />
  <path class="weave" d="M30 16 48 42 30 68 12 42zM30 28 40 42 30 56 20 42z" fill-rule="evenodd" />
</svg>`;function tr(t,e,r,s,a=""){let n=Array.from({length:e},()=>o`<span>${Ie(a)}</span>`);return o`<div class="fan" role="group" aria-label=${r}>
    ${t.map(i=>o`<span>${$e(i,s,a)}</span>`)}${n}
    ${e?o`<i class="unseen">${e} ${s("word.face_down")}</i>`:""}
  </div>`}var ne=(t,e)=>o`<span class="chip of-${t[0]}" title=${er(t,e)} data-card=${t}>${q(t[0])}${t}</span>`;var rr=O`
  .claim { --cw: clamp(2.7rem, 7cqw, 4.1rem); padding: clamp(0.6rem, 2cqw, 1.25rem); display: grid; gap: clamp(0.6rem, 1.6cqw, 1rem);
    background: radial-gradient(120% 90% at 50% 45%, light-dark(#e9f0ea, #1d2a28), light-dark(#dbe6de, #16201f)); }
  .of-G { --hue: light-dark(#3b7a1e, #97d06e); } .of-K { --hue: light-dark(#26579b, #8fbcf5); }
  .of-U { --hue: light-dark(#5f4590, #c0abef); } .of-W { --hue: light-dark(#9a4e12, #eea968); }
  .of-X { --hue: light-dark(#a3276b, #f191c6); } .of-N { --hue: light-dark(#0b6d80, #6accdc); }
  .of-A { --hue: light-dark(#4d5a63, #b4c3cd); } .of-T { --hue: light-dark(#66621a, #d5cf72); }
  .of-D { --hue: light-dark(#b3261e, #ff9a8d); } .of-S { --hue: light-dark(#7d5f00, #eac65c); }
  .claim .dot { display: inline-block; width: 0.6em; height: 0.6em; border-radius: 50%; background: var(--own); margin-right: 0.3em; }
  .claim .cap { font-size: 0.75rem; color: var(--muted); white-space: nowrap; text-align: left; }
  .claim figure { margin: 0; text-align: center; min-width: 0; }
  .claim figcaption { font-size: 0.75rem; color: var(--muted); margin-top: 0.2rem; line-height: 1.35; }
  .claim .none { color: var(--muted); font-size: 0.8125rem; }

  .claim .card { display: block; width: var(--cw); height: auto; filter: drop-shadow(0 1px 1.5px #0003); flex: none; }
  .claim .card.small { width: calc(var(--cw) * 0.68); }
  .claim .face { fill: light-dark(#fffdf8, #262c31); stroke: light-dark(#d6d2c6, #4a535b); stroke-width: 1.2; }
  .claim .card .emblem, .sign { fill: var(--hue); }
  .claim .large { opacity: 0.92; }
  .claim .value { font: 700 23px var(--serif, serif); fill: var(--hue); font-variant-numeric: lining-nums; }
  .claim .letter { font: 700 12px var(--sans, sans-serif); fill: var(--hue); }
  .claim .back .face { fill: light-dark(#40626b, #2f4a52); stroke: light-dark(#33525a, #45636c); }
  .claim .frame { fill: none; stroke: light-dark(#b9d0d3, #6f929b); stroke-width: 1.2; } .claim .weave { fill: light-dark(#8fb0b6, #55777f); }
  .sign { width: 1em; height: 1em; vertical-align: -0.13em; }

  .claim .row { display: grid; gap: inherit; grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr)); }
  .claim .place { min-width: 0; background: light-dark(#ffffffc4, #0e1517a8); border: 1px solid light-dark(#0001, #fff1); border-radius: 10px; padding: 0.55rem 0.75rem 0.65rem; border-left: 4px solid var(--own); }
  .claim .place.turn { box-shadow: 0 0 0 2px var(--own); }
  .claim .plate { display: flex; flex-wrap: wrap; gap: 0.2rem 0.5rem; align-items: baseline; margin-bottom: 0.4rem; font-size: 0.875rem; }
  .claim .who { min-width: 0; overflow: hidden; text-overflow: ellipsis; } .claim .who b { color: var(--own); font-weight: 650; }
  .claim .count { margin-left: auto; color: var(--muted); font-size: 0.8125rem; white-space: nowrap; } .claim .count b { color: var(--ink); font: 700 1.15rem var(--serif, serif); }
  .claim .tag { font-size: 0.75rem; line-height: 1.5; padding: 0 0.5em; border-radius: 99px; background: var(--sunk); color: var(--muted); white-space: nowrap; }
  .claim .tag.act { background: var(--own); color: light-dark(#fff, #10171a); font-weight: 600; }
  .claim .lacks span { margin-left: 0.25em; } .claim .lacks .sign { fill: currentColor; }
  .claim .held { display: grid; grid-template-columns: 4.9rem minmax(0, 1fr); align-items: center; gap: 0.5rem; }
  .claim .held .cap { white-space: normal; line-height: 1.25; }
  .claim .held.small { --cw: clamp(2.6rem, 6cqw, 3.4rem); }
  .claim .belongings { display: grid; gap: 0.35rem 1rem; margin-top: 0.4rem; }
  .claim .fan { display: flex; min-height: calc(var(--cw) * 1.4); padding-right: 2px; }
  .claim .held.small .fan { min-height: calc(var(--cw) * 0.952); }
  .claim .fan > span { flex: 0 1 calc(var(--cw) + 3px); min-width: 0; } .claim .fan > span:last-of-type { flex: none; }
  .claim .held.small .fan > span { flex-basis: calc(var(--cw) * 0.68 + 2px); }
  .claim .heaps { display: flex; flex-wrap: wrap; gap: 0.25rem 0.35rem; align-items: center; min-height: 1.6rem; }
  .claim .heap, .chip { display: inline-flex; gap: 0.3em; align-items: center; font-size: 0.8125rem; line-height: 1.5; padding: 0 0.45em; border-radius: 6px; background: light-dark(#fffdf8, #262c31); border: 1px solid light-dark(#dcd8cc, #414a52); color: var(--ink); }
  .claim .heap b, .chip { color: var(--hue); } .chip { font-weight: 600; vertical-align: bottom; }
  .line .chip { background: none; border: 0; padding: 0; gap: 0.2em; font-size: inherit; line-height: inherit; }
  .claim .heap.new { border-color: var(--hue); box-shadow: 0 0 0 1px var(--hue); }

  .claim .middle { display: grid; gap: 0.75rem 1.25rem; grid-template-columns: minmax(0, 1fr); align-items: center; }
  .claim .stock { display: flex; flex-wrap: wrap; gap: 0.6rem 0.9rem; align-items: flex-start; --cw: clamp(3.4rem, 7cqw, 4.4rem); justify-content: center; }
  .claim .lie { display: flex; gap: 3px; justify-content: center; position: relative; }
  .claim .pack b { position: absolute; inset: 0; display: grid; place-items: center; font: 700 1.15rem var(--serif, serif); color: #fff; text-shadow: 0 0 4px #000, 0 0 2px #000; }
  .claim .order { flex-basis: 100%; font-size: 0.75rem; color: var(--muted); } .claim .order summary { cursor: pointer; }
  .claim .order div { display: flex; flex-wrap: wrap; gap: 0.2rem; margin-top: 0.3rem; } .claim .order .chip { font-size: 0.75rem; padding: 0 0.3em; }
  .claim .trick { display: grid; justify-items: center; gap: 0.45rem; --cw: clamp(3.6rem, 9cqw, 5.2rem); min-height: 11.5rem; align-content: center; }
  .claim .plays { display: flex; flex-wrap: wrap; justify-content: center; gap: 0.5rem clamp(0.5rem, 2cqw, 1.1rem); }
  .claim .plays figure { width: calc(var(--cw) + 0.9rem); } .claim .plays .card { margin: 0 auto; }
  .claim .plays em { font-style: normal; font-weight: 650; color: var(--ink); } .claim .got { display: block; }
  .claim .won .face { stroke: var(--own); stroke-width: 4; } .claim .before .card { opacity: 0.62; } .claim .before .won .card { opacity: 1; }
  .claim .slot { width: var(--cw); aspect-ratio: 60 / 84; margin: 0 auto; border: 2px dashed var(--own); border-radius: 9px; opacity: 0.55; }
  .claim .led { font-size: 0.8125rem; color: var(--muted); }
  .claim .new .card { animation: lay 0.28s ease-out; }
  @keyframes lay { from { transform: translateY(-14px) scale(1.06); opacity: 0; } }

  .claim .votes { width: auto; margin: 0 auto; font-size: 0.8125rem; } .claim .votes caption { margin-bottom: 0.15rem; }
  .claim .votes th, .claim .votes td { padding: 0.12rem 0.5rem; border: 0; text-align: center; color: var(--ink); font-size: 0.8125rem; }
  .claim .votes tbody th { text-align: left; padding-left: 0; white-space: nowrap; } .claim .votes thead th { color: var(--muted); white-space: nowrap; }
  .claim .votes tbody tr + tr > * { border-top: 1px solid light-dark(#0001, #fff1); }
  .claim .votes td.has { font-weight: 700; background: color-mix(in srgb, var(--own) 20%, transparent); box-shadow: inset 0 -3px var(--own); border-radius: 4px; }

  .claim.p3 .trick, .claim.p4 .trick { --cw: clamp(3.2rem, 8cqw, 4.4rem); }
  @container (min-width: 44rem) {
    .claim .middle { grid-template-columns: minmax(8.5rem, 0.7fr) minmax(0, 2fr) max-content; }
    .claim .stock { justify-content: flex-start; }
    @media (max-height: 62rem) { /* Little height: the seat that is looked through comes first, with its hand. */
      .claim { --cw: clamp(2.7rem, min(7cqw, 7.5svh), 4.1rem); }
      .claim.seen .near { order: -2; } .claim.seen .middle { order: -1; }
    }
    .claim.p2 .belongings, .claim.p3 .near .belongings { grid-template-columns: repeat(auto-fit, minmax(19rem, 1fr)); }
  }
  @container (max-width: 44rem) {
    .claim .middle { display: contents; } .claim .trick { order: -2; min-height: 9.5rem; } .claim .stock { order: -1; } .claim .far { order: 1; } .claim .votes { order: 2; }
    .claim .row { grid-template-columns: minmax(0, 1fr); }
    .claim .place { padding-inline: 0.5rem; } .claim .closed { --cw: 2.2rem; }
    .claim .held { grid-template-columns: 3.9rem minmax(0, 1fr); gap: 0.35rem; }
  }
  @media print { .claim { background: none; } .claim .place { border-color: #999; } }
`;function ca(t){let e=t.views.find(i=>i),r=[...new Set(t.setup.deck.map(i=>i[0]))],s={...t,all:e,factions:r,teams:t.setup.teams},[a,n]=ma(t.seats.length,t.eye??0);return o`<div class="claim p${t.seats.length} ${t.eye===null?"":"seen"}">
    <div class="row far">${n.map(i=>sr(s,i))}</div>
    <div class="middle">${xa(s)}${ka(s)}${_a(s)}</div>
    <div class="row near">${a.map(i=>sr(s,i))}</div>
  </div>`}function ma(t,e){let r=Array.from({length:t},(s,a)=>(e+a)%t);return t===4?[[r[0],r[3]],[r[1],r[2]]]:[[r[0]],r.slice(1)]}function sr(t,e){let{all:r,t:s}=t,a=r.to_act.includes(e);return o`<section class="place of${e} ${a?"turn":""}" aria-label="${s("word.seat")} ${e}">
    <div class="plate">
      <span class="who"><b>${s("word.seat")} ${e}</b> <bdi title=${w(t.seats[e].bot)}>${w(t.seats[e].bot,24)}</bdi></span>
      ${ua(t,e)}
      ${r.trick.leader===e&&r.decision?o`<span class="tag">${s("word.leader")}</span>`:d}
      ${a&&r.decision?o`<span class="tag act">▸ ${s(`decision.${r.decision}`)}</span>`:d}
      ${ha(t,e)}
      <span class="count" title=${s("word.votes_now")}>${s("word.votes")} <b>${fa(t,e)}</b></span>
    </div>
    ${ga(t,e)}
    <div class="belongings">
      ${$a(t,e)}${ba(t,e)}${va(t,e)}${ya(t,e)}
    </div>
  </section>`}function ua({teams:t,t:e},r){let s=t.findIndex((a,n)=>n!==r&&a===t[r]);return s<0?d:o`<span class="tag">+ ${e("word.seat")} ${s}</span>`}function ha({all:t,t:e},r){let s=[...t.voids[r]];if(s.length===0)return d;let a=s.map(n=>o`<span title=${e(`faction.${n}`)}>${q(n)}${n}</span>`);return o`<span class="tag lacks">${e("word.voids")} ${a}</span>`}var fa=({all:t,teams:e},r)=>Object.values(t.votes).filter(s=>s===e[r]).length,Fe=(t,e,r,s="")=>o`<div class="held ${s}"><span class="cap">${t} <b>${e}</b></span>${r}</div>`;function qe(t,e,r,s,a){let n=tr(e,Math.max(0,r-e.length),`${s}: ${r}`,t,a);return Fe(s,r,n,e.length?a:`${a} closed`)}function ga({all:t,views:e,t:r},s){let a=t.phase==="favour"?t.known[s]:[];return qe(r,e[s]?.hand??a,t.hands[s],r("word.hand"),"")}function $a({all:t,views:e,t:r},s){return t.phase!=="recruit"?d:qe(r,e[s]?.recruited??t.known[s],t.followers[s],r("word.followers"),"small")}function va({all:t,t:e},r){let s=t.rows[r];return s.length?qe(e,s,s.length,e("word.gnomes"),"small"):d}function ba({all:t,factions:e,news:r,t:s},a){let n=t.piles[a],i=r.flatMap(({kind:m,body:u})=>m==="capture"&&u.seat===a?u.cards:[]),l=new Set(i.map(m=>m[0])),p=e.map(m=>wa(m,n,l.has(m),s)),c=n.length?p:o`<span class="none">–</span>`;return Fe(s("word.pile"),n.length,o`<div class="heaps">${c}</div>`)}function wa(t,e,r,s){let a=e.filter(i=>i[0]===t).map(i=>i.slice(1));if(a.length===0)return d;a.sort().reverse();let n=s(`faction.${t}`);return o`<span class="heap of-${t} ${r?"new":""}" role="img" title=${n}
    aria-label="${n}: ${a.join(", ")}">${q(t)}<b>${t}</b> ${a.join(" ")}</span>`}function ya({views:t,t:e},r){let s=t[r]?.left??[];if(s.length===0)return d;let a=s.map(([,n,i])=>o`${ne(n,e)}<span class="none">${e("word.seat")} ${i}</span>`);return Fe(e("word.left"),s.length,o`<div class="heaps">${a}</div>`)}function xa(t){let{all:e,unseen:r,views:s,t:a}=t,n=(i,l)=>i?.look?ie(`${a("word.seat")} ${l}: ${a("word.look")}`,[i.look],a):d;return o`<div class="stock">
    ${e.deck?o`<figure><div class="lie pack">${Ie("small")}<b>${e.deck}</b></div>
      <figcaption>${a("word.deck")}</figcaption></figure>`:d}
    ${ie(a("word.faceup"),e.faceup,a)}${s.map(n)}
    ${ie(a("word.trolls_out"),e.out,a)}${ie(a("faction.A"),e.giants,a)}
    ${ie(a("word.removed"),e.removed,a)}
    ${r?.deck?.length?o`<details class="order"><summary>${a("word.deck")}, ${a("word.top_first")}</summary>
      <div>${r.deck.map(i=>ne(i,a))}</div></details>`:d}
  </div>`}var ie=(t,e,r)=>e.length===0?d:o`<figure><div class="lie">${e.map(s=>$e(s,r,"small"))}</div>
        <figcaption>${t}</figcaption></figure>`;function ka(t){let{all:e,setup:r,t:s}=t,a=e.tricks.at(-1),n=e.trick.plays.length===0&&a!==void 0,i=n?a:e.trick,l=!n&&e.decision==="play"?e.to_act:[],p=n?`${s(e.decision?"word.trick_before":"word.final_trick")}, `:"",c=o`<p class="led">${p}${s("word.led")}: ${q(i.led??"")}
    ${s(`faction.${i.led}`)}</p>`;return o`<div class="trick ${n?"before":""}">
    <p class="cap">${s(`phase.${e.phase}`)}, ${s("word.trick")} <b>${e.trick_number}</b> / ${r.cards_each}</p>
    <div class="plays">
      ${i.plays.map(([m,u])=>Ta(t,i,m,u))}
      ${l.map(m=>o`<figure class="of${m}"><div class="slot"></div>
        <figcaption><span class="dot"></span>${s("word.seat")} ${m}</figcaption></figure>`)}
    </div>
    ${i.plays.length?c:d}
  </div>`}function Ta(t,e,r,s){let{news:a,t:n}=t,i=e.ranking[0]===r,l=a.some(({kind:c,body:m})=>c==="play"&&m.seat===r&&m.card===s),p=e.recruits?.[r];return o`<figure class="of${r} ${i?"won":""} ${l?"new":""}">
    ${$e(s,n)}
    <figcaption><span class="dot"></span>${n("word.seat")} ${r} <em>${Sa(e,r,n)}</em>
      ${p?o`<span class="got">+ ${ne(p,n)}</span>`:d}</figcaption>
  </figure>`}function Sa(t,e,r){let s=t.ranking.indexOf(e);return s===0?r("word.winner"):s<0?t.leader===e?r("word.leader"):"":t.ranking.length>2?r(`ordinal.${s+1}`):""}function _a({all:t,factions:e,teams:r,t:s}){let a=[...new Set(r)],n=p=>r.flatMap((c,m)=>c===p?[m]:[]),i=p=>n(p).flatMap(c=>[...t.piles[c],...t.rows[c]]),l=(p,c)=>{let m=t.votes[c]===p,u=i(p).filter(f=>f[0]===c).length;return o`<td class="of${p} ${m?"has":""}">${u}${m?o`<i class="unseen"> ${s("word.has_vote")}</i>`:d}</td>`};return o`<table class="votes">
    <caption class="cap">${s("word.votes")}</caption>
    <thead><tr><td></td>${a.map(p=>o`<th scope="col" class="of${p}">
      <span class="dot"></span>${n(p).join("+")}</th>`)}</tr></thead>
    <tbody>${e.map(p=>o`<tr><th scope="row">${q(p)} ${s(`faction.${p}`)}</th>
      ${a.map(c=>l(c,p))}</tr>`)}</tbody>
  </table>`}var Ma=(t,e)=>t.kind==="deal"?null:he(t,e),Ca=(t,e)=>o`${t.split(/\b([GKUWXNATDS]\d)\b/).map((r,s)=>s%2?ne(r,e):r)}`,ar={draw:ca,styles:rr,story:Ma,signs:Ca};var We={aristoocrazy:Zt,claim:ar};function ve(t){let e=t.replace(/^#/,""),r=new URLSearchParams(e.includes("=")?e:`game=${e}`),s=n=>/^\d{1,6}$/.test(r.get(n)??"")?Number(r.get(n)):null,a=(r.get("game")??"").toLowerCase();return{game:/^[0-9a-f]{4,64}$/.test(a)?a:null,step:s("step"),eye:s("seat")}}function Ke(t,e,r){return`#game=${encodeURIComponent(t)}&step=${e}${r===null?"":`&seat=${r}`}`}var _=(t,e,r)=>o`<span class="seat of${e%4}"><span>${t("word.seat")} ${e}</span>${r===void 0?d:o`<bdi class="name" title=${w(r)}>${w(r,21)}</bdi>`}</span>`;var Xe=new Map,W=new Map;globalThis.kingmaker=(t,e,r)=>{let s=`${t} ${e}`;Xe.set(s,r),W.get(s)?.forEach(a=>a.resolve(r)),W.delete(s)};function be(t,e,r){let s=`${t} ${e}`;return Xe.has(s)?Promise.resolve(Xe.get(s)):new Promise((a,n)=>{let i=W.get(s),l={resolve:a,reject:n};if(i){i.push(l);return}W.set(s,[l]);let p=()=>{W.get(s)?.forEach(m=>m.reject(new Error(`${r} cannot be loaded`))),W.delete(s)},c=document.createElement("script");c.src=r,c.onerror=p,c.onload=p,document.head.append(c)})}var we=()=>document.documentElement.dataset.root??"";async function nr(t){if(!t)throw new Error("the address names none (it ends with # and the id of a game)");let e=Number(document.documentElement.dataset.shard??0),r=t.slice(0,e)||"all",s=await be("games",r,`${we()}data/games/${r}.js`),a=Object.keys(s).find(i=>i.startsWith(t));if(a===void 0)throw new Error(`there is no game ${t} in this site`);let n=s[a];return{id:a,entry:n,replay:n.replay?await Ye(a,`${we()}replays/${a}.js`):null}}var Ye=(t,e)=>be("replay",t,e);async function Qe(t,e){let r=await be("terms",e,`${we()}data/terms.js`).catch(()=>({}));return ue(r[t]??{})}var ir=t=>`${we()}bots/${t}.html`;var Ea=(t,e)=>e?o`<a href=${ir(e)}><bdi title=${w(t)}>${w(t,24)}</bdi></a>`:o`<bdi title=${w(t)}>${w(t,30)}</bdi>`;function Ze(t,e,r,s){return o`<header>
    <h2 class="versus">${t.map(a=>o`<span>${Ea(a.bot,a.slug)}</span>`)}</h2>
    <span class="small muted">${s?o`<span class="badge live">live, delayed</span> `:d}
      <code>${e}</code> · game <code title=${r}>${r.slice(0,12)}</code></span>
  </header>`}function or(t,e,r,s){let a=(n,i,l)=>o`<label title="key ${l}">
    <input type="radio" name="eye" .checked=${e===n} @change=${()=>r(n)} aria-keyshortcuts=${l} />${i}</label>`;return o`<div class="eyes" role="radiogroup" aria-label="Whose knowledge is shown">
    <span class="small muted" aria-hidden="true">Seen by</span>
    ${a(null,"Everything",0)}${t.map((n,i)=>a(i,_(s,i,n.bot),i+1))}
  </div>`}function lr(t,e,r,s,a,n){let i=(p,c="")=>o`<span class="badge ${c}">${p}</span>`,l=(p,c)=>o`<tr>
    <td>${_(n,c,p.bot)} ${s.includes(c)?i("to act"):d}
      ${a.includes(c)?i("house player"):d} ${r?.ranks[c]===0?i("first","won"):d}</td>
    <td>${fe(e[c]?.last)}</td>
    <td>${e[c]?.moves?fe(e[c].used):"–"}</td>
    ${r?o`<td>${r.scores[c]}</td>`:d}
  </tr>`;return o`<section class="panel"><h3>Clocks</h3>
    <table>
      <thead><tr><th scope="col">${n("word.seat")}</th><th scope="col">last move</th><th scope="col">so far</th>
        ${r?o`<th scope="col">score</th>`:d}</tr></thead>
      <tbody>${t.seats.map(l)}</tbody>
    </table>
    <p class="small muted">${Ra(t.limits)}</p>
  </section>`}function Ra(t){let e=(s,a)=>t[s]?[a(fe(t[s]))]:[],r=[...e("bank_ms",s=>`${s} in all`),...e("increment_ms",s=>`${s} more for each move`),...e("move_ms",s=>`at most ${s} for a move`)];return r.length?`Allowed: ${r.join(", ")}.`:""}function dr(t,e,r,s){let a=(n,i)=>o`<li class=${i?"chosen":""} title=${i?"done next":d}>${n}</li>`;return t.map(({body:{seat:n,actions:i}})=>{let l=e.find(p=>p.body.seat===n)?.body.action;return o`<section class="panel">
      <h3>${_(s,n,r[n]?.bot??"")} may do ${i.length===1?"one thing":`${i.length} things`}</h3>
      <ul class="chips" tabindex="0" aria-label="Legal actions of ${s("word.seat")} ${n}">
        ${i.map(p=>a(p,p===l))}
      </ul>
    </section>`})}function pr(t,e,r){return t.note===null||t.seat===null?d:o`<section class="panel of${t.seat}"><h3>${_(r,t.seat,e[t.seat]?.bot??"")} noted</h3>
    <p class="quote" tabindex="0"><bdi>${T(t.note)}</bdi></p></section>`}function cr(t,e,r,s,a){if(t.length+e.length===0)return d;let n=i=>o`<li>
    <button @click=${()=>s(i.step)} aria-label="Go to step ${i.step}">${i.step}</button>${_(a,i.seat)}
    <bdi>${T(i.note)}</bdi></li>`;return o`<section class="panel log-panel"><h3>Notes and logs</h3>
    ${t.length?o`<details><summary>Notes so far (${t.length})</summary>
      <ul class="log" tabindex="0" aria-label="Notes">${t.map(n)}</ul></details>`:d}
    ${e.map(({body:i})=>o`<details><summary>${_(a,i.seat,r[i.seat]?.bot??"")} printed in this game</summary>
      <pre class="log" tabindex="0">${T(i.text)}</pre></details>`)}</section>`}function mr(t,e,r,s,a){let n=(i,l)=>o`<li class=${r.has(i.step)?"chapter":""}>
    <button aria-current=${l?"step":d} tabindex=${l?0:-1} @click=${()=>s(i.step)}>
      <span class="no">${i.step}</span><span>${et(i,a)}</span>
    </button></li>`;return o`<section class="panel moves-panel"><h3>Moves</h3>
    <ol class="moves" aria-label="Moves">${t.map(i=>n(i,i.step===e))}</ol></section>`}var ur=(t,e)=>r=>t?.signs?.(T(r),e)??T(r);function et(t,e){return o`${t.lines.map(r=>o`<span class="line">${e(r)}</span>`)}
    ${t.house?o`<span class="badge">house player</span>`:d}
    ${t.fault?o`<span class="line fault">fault</span>`:d}`}var za=[.5,1,2,4,8];function fr(t,e,r){let{move:s,step:a,last:n}=t,i=T(`Step ${a} of ${n}: ${s.lines.join("; ")}`);return o`<div class="bar" role="group" aria-label="Steps">
    <p class="said"><span class="lines">${et(s,r)}</span><span class="at">${a} / ${n}</span></p>
    <p class="unseen" role="status" aria-live="polite">${i}</p>
    <div class="track">${Na(t.ends,t.wrong,n)}
      <input type="range" min="0" max=${n} .value=${String(a)} ?disabled=${n===0} aria-label="Step" aria-valuetext=${i}
        @input=${l=>e.go(l.target.valueAsNumber)} /></div>
    <div class="keys">${Pa(t,e)}</div>
    <div class="keys more">${Oa(t,e)}</div>
  </div>`}function Pa({step:t,last:e,playing:r,speed:s},a){let n=(i,l,p,c=!1,m="")=>tt(l==="Pause"?"pause":i,l,`${l} (${p})`,c,()=>a.act(i),m);return o`${n("first","To the deal","Home",t===0,"wide")}
    ${n("chapterBack","The chapter before","Shift ←",t===0)}
    ${n("back","A step back","←",t===0)}
    ${n("play",r?"Pause":"Play","Space",e===0,"play")}
    ${n("on","A step on","→",t===e)}
    ${n("chapterOn","The next chapter","Shift →",t===e)}
    ${n("last","To the end","End",t===e,"wide")}
    <select aria-label="Speed" title="Speed" @change=${i=>a.pace(Number(i.target.value))}>
      ${za.map(i=>o`<option value=${i} ?selected=${i===s}>${i}×</option>`)}
    </select>`}var Oa=({live:t,copied:e},{act:r,copy:s})=>o`
  <span class="small muted copied" role="status"><bdi>${e}</bdi></span>
  ${t?d:tt("link",hr,hr,!1,s)}
  ${tt("help","Keys","Keys (?)",!1,()=>r("help"),"wide")}`,hr="Copy a link to this position",ja={first:"M4 4h2.200v16H4zM20 4v16L8 12z",last:"M17.800 4H20v16h-2.200zM4 4v16l12-8z",chapterBack:"M11.500 4v16L2 12zM21.500 4v16L12 12z",chapterOn:"M12.500 4v16l9.500-8zM2.500 4v16l9.500-8z",back:"M16 4v16L5 12z",on:"M8 4v16l11-8z",play:"M6 3.500v17l14-8.500z",pause:"M6 4h4v16H6zM14 4h4v16h-4z",help:"M12 3.500a5.500 5.500 0 0 0-5.500 5.500h2.600a2.900 2.900 0 1 1 4.300 2.500c-1.700 1-2.700 2-2.700 4v1h2.600v-1c0-.8.5-1.200 1.500-1.800A5.500 5.500 0 0 0 12 3.500zM10.600 18.300h2.800V21h-2.800z",link:"M10.600 13.400a1 1 0 0 1-1.400 1.400 5 5 0 0 1 0-7.100l3.500-3.500a5 5 0 0 1 7.100 7.100l-1.500 1.500a1 1 0 1 1-1.400-1.400l1.500-1.500a3 3 0 0 0-4.300-4.300l-3.500 3.500a3 3 0 0 0 0 4.300zM13.400 10.600a1 1 0 0 1 1.400-1.400 5 5 0 0 1 0 7.100l-3.500 3.500a5 5 0 0 1-7.100-7.100l1.500-1.500a1 1 0 1 1 1.400 1.400l-1.500 1.500a3 3 0 0 0 4.300 4.300l3.500-3.500a3 3 0 0 0 0-4.300z"};function tt(t,e,r,s,a,n=""){return o`<button class=${n} title=${r} aria-label=${e} ?disabled=${s} @click=${a}>
    <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${ja[t]} /></svg></button>`}function Na(t,e,r){let s=(a,n)=>h`<rect class=${n} x=${a/Math.max(r,1)*1e3-1} y="0" width="2.500" height="6" />`;return o`<svg viewBox="0 0 1000 6" preserveAspectRatio="none" aria-hidden="true">
    ${t.map(a=>s(a,""))}${e.map(a=>s(a,"fault"))}</svg>`}var Ha=[[["←","→"],"a step back, a step on"],[["Shift ←","Shift →"],"the chapter before, the next: a trick, a turn, a fault"],[["Home","End"],"the deal, the last step"],[["Space"],"play or pause"],[["0"],"see everything"],[["1","2","3","4"],"see what the first, second, … seat knew"],[["↑","↓"],"in the list of moves: the one before, the next"],[["?"],"this list"]],gr=t=>o`<dialog aria-labelledby="keys">
  <h2 id="keys">Keys</h2>
  <dl>${Ha.map(([e,r])=>o`<dt>${e.map(s=>o`<kbd>${s}</kbd> `)}</dt><dd>${r}</dd>`)}</dl>
  <button @click=${t}>Close</button>
</dialog>`;function $r(t,e,r=0){let[s,a,n]=e;if(r===s.length)return e.length===3?[...(t??[]).slice(0,a),...n]:a;let i=s[r],l=Array.isArray(t)?[...t]:t?{...t}:typeof i=="number"?[]:{};return e.length===1&&r===s.length-1?delete l[i]:l[i]=$r(l[i],e,r+1),l}var ye=(t,e)=>t===null||e.audience===null||e.audience.includes(t),oe=class{positions;constructor(e){this.positions=[{views:Array.from({length:e},()=>({})),unseen:{},told:[]}]}get last(){return this.positions.length-1}append(e){for(let[r,s,a,n]of e){for(;this.last<r;)this.positions.push({...this.positions[this.last],told:[]});let i=this.positions[r],l={step:r,audience:s,kind:a,body:n},p=c=>n.reduce((m,u)=>$r(m,u),c);a==="@view"?i.views=i.views.map((c,m)=>ye(m,l)?p(c):c):a==="@unseen"?i.unseen=p(i.unseen):i.told.push(l)}}views(e,r){return this.positions[e].views.map((s,a)=>r===null||r===a?s:null)}unseen(e,r){return r===null?this.positions[e].unseen:null}news(e,r){let s=this.positions[e].told.filter(a=>ye(r,a));return s.filter(a=>!s.some(n=>Va(a,n)))}};function Va(t,e){let r=Object.keys(t.body??{});if(t===e||t.kind!==e.kind||t.audience===null)return!1;let s=n=>JSON.stringify(t.body[n])===JSON.stringify(e.body[n]),a=n=>t.body[n]===null&&e.body[n]!=null;return r.some(a)&&r.every(n=>s(n)||a(n))}var La={Home:"first",ArrowLeft:"back"," ":"play",ArrowRight:"on",End:"last","?":"help","Shift+ArrowLeft":"chapterBack","Shift+ArrowRight":"chapterOn"};function vr(t){let e=t.composedPath()[0];if(t.defaultPrevented||t.ctrlKey||t.altKey||t.metaKey||e.closest?.("dialog, select, textarea, input:not([type=range], [type=radio])")||t.key===" "&&e.closest?.("button, summary, a, input"))return null;if(/^[0-4]$/.test(t.key))return Number(t.key);if(e.closest?.(".moves")&&t.key==="ArrowUp")return"back";if(e.closest?.(".moves")&&t.key==="ArrowDown")return"on";let r=t.shiftKey&&t.key.startsWith("Arrow");return La[r?`Shift+${t.key}`:t.key]??null}var br=(t,e)=>t.find(r=>r.kind===e)?.body;function wr(t,e,r,s,a,n){let i=t.news(e,r),l=br(i,"@turn"),p=r===null||e<=s,c=p&&a?i.flatMap(u=>a.story(u,n)??[]):[],m=p?br(i,"@action"):void 0;return c.length===0&&c.push(m?.action??(l?`${n("word.seat")} ${l.seat} ${n("word.acts")}`:n("word.deal"))),{step:e,seat:l?.seat??null,house:l?.house??!1,lines:c,note:m?.note??null,fault:p&&i.some(u=>u.kind==="@fault")}}function yr(t,e,r,s){let a=Array.from({length:e},()=>({used:0,last:null,moves:0}));for(let n=1;n<=r;n++)for(let{kind:i,body:l}of t.news(n,s)){let p=a[l?.seat];i!=="@action"||!p||(p.moves+=1,p.last=l.ms,p.used+=l.ms??0)}return a.map((n,i)=>s===null||s===i?n:null)}var Ua=["trick","phase","round","turn","battle","end","@fault"];function xr(t){let e=s=>t.news(s,null).some(({kind:a})=>Ua.includes(a));return Array.from({length:t.last+1},(s,a)=>a).filter(s=>s===0||s===t.last||e(s))}var xe=(t,e,r)=>Array.from({length:e+1},(s,a)=>t.news(a,r).filter(({kind:n})=>n==="@fault")).flat(),kr=(t,e)=>t.news(t.last,e).filter(({kind:r})=>r==="@log"),Tr=(t,e)=>Array.from({length:e+1},(r,s)=>t.news(s,null)).flat().flatMap(({kind:r,body:s})=>r==="@turn"&&s.house?[s.seat]:[]),Sr=(t,e,r)=>Array.from({length:e+1},(s,a)=>t.news(a,r)).flat().filter(s=>s.kind==="@action"&&ye(r,s)&&s.body.note).map(({step:s,body:a})=>({step:s,seat:a.seat,note:a.note}));function rt(t,e,r){let s=o`<span class="small muted"> · ${e.verdict}${e.void?`: ${st(e.void)}`:""}</span>`;if(e.verdict==="void")return o`<div class="result"><p><strong>void</strong>${s}</p>
      <p class="small">It counts for nobody and is played again.</p></div>`;let a=Ja(t,e.ranks),n=a.filter(i=>i.rank===0);return o`<div class="result">
    <p><strong>${n.length===1?"won by ":"shared by "}${n.map((i,l)=>o`${l?", ":""}${Ga(i,t,r)}`)}</strong>${s}</p>
    <ol>${a.map(i=>o`<li>${i.rank+1}. ${i.seats.map(l=>_(r,l,t[l].bot))}
      <span class="muted">score ${[...new Set(i.seats.map(l=>e.scores[l]))].join(", ")}</span></li>`)}</ol>
  </div>`}function Ja(t,e){return[...new Set(t.map(a=>a.team))].map(a=>t.flatMap((n,i)=>n.team===a?[i]:[])).map(a=>({seats:a,rank:e[a[0]]})).sort((a,n)=>a.rank-n.rank)}function Ga({seats:t},e,r){let s=[...new Set(t.map(i=>w(e[i].bot)))],a=` ${r("word.and")} `,n=t.length>1?o` (${r("word.seats")} ${t.join(a)})`:d;return o`${s.map((i,l)=>o`${l?a:""}<bdi>${i}</bdi>`)}${n}`}var st=t=>t.replaceAll("_"," "),_r=({body:t})=>t.reason==="suspended";function Mr(t,e,r){let s=xe(t,e,null).filter(({body:a})=>a.seat===r);return s.some(_r)?!1:s.some(a=>a.step===e)||!t.news(e,null).some(({kind:a})=>a==="@end")}function Cr(t,e,r){let{seat:s,kind:a,reason:n,turn:i,evidence:l}=t.body,p=_(r,s,e[s]?.bot??"");return _r(t)?o`<div class="alert quiet" role="group" aria-label="Suspended">
      <strong>${p}: not started</strong> <span class="small muted">suspended, lost unplayed</span>
      <p class="small">${T(l||"")}</p></div>`:o`<div class="alert" role="group" aria-label="Fault">
    <strong>${p}: ${st(a)}</strong>
    <span class="small muted">${i?`at its turn ${i}`:"before its first turn"}</span>
    <p>${T(n)}</p>
    ${l?o`<details open><summary class="small">Evidence</summary>
      <pre tabindex="0">${T(l)}</pre></details>`:d}
  </div>`}function Er(t,{seats:e,verdict:r,held:s},a){let n={verdict:r,void:null,ranks:e.map(l=>l.rank),scores:e.map(l=>l.score)},i=(l,p)=>l.fault?o`<p class="small">${_(a,p,l.name)}: ${T(st(l.fault))}</p>`:d;return o`${rt(e.map(l=>({bot:l.name,team:l.team})),n,a)}
    <div class="panel">${e.map(i)}${s?Ba:Da(t)}</div>`}var Ba=o`<p>Its deal is still being played.</p>
  <p class="small muted">The moves can be seen once the last game on that deal is over.</p>`,Da=t=>o`<p>The moves of this game are not among these pages.</p>
  <p class="small muted">In a terminal: <code>arena replay ${t.slice(0,12)}</code>. In the pages:
    <code>arena site build ${w(document.documentElement.dataset.tournament??"TOURNAMENT")} -o DIR --replays all</code>.</p>`;var at=O`
  :host {
    display: block; container-type: inline-size; color: var(--ink, CanvasText); font-variant-numeric: tabular-nums;
    --s0: var(--seat-0, #0067a5); --s1: var(--seat-1, #bd5200); --s2: var(--seat-2, #00775a); --s3: var(--seat-3, #a2447f);
  }
  * { box-sizing: border-box; }
  h2, h3, p, ol, ul, dl, dd { margin: 0; padding: 0; }
  ol, ul { list-style: none; }
  h2 { font: 600 1.6rem/1.25 var(--serif, serif); overflow-wrap: anywhere; }
  h3 { font: 600 0.8125rem/1.4 var(--sans, sans-serif); color: var(--muted); letter-spacing: 0.02em; }
  a { color: var(--accent); text-underline-offset: 0.18em; }
  bdi { unicode-bidi: isolate; overflow-wrap: anywhere; }
  code, kbd, pre { font-family: var(--mono, monospace); font-size: 0.875em; overflow-wrap: anywhere; }
  kbd { border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px; padding: 0 0.35em; background: var(--card); }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
  .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .muted { color: var(--muted); }
  .small { font-size: 0.8125rem; }

  button, select, summary { font: inherit; color: inherit; cursor: pointer; }
  button, select { background: var(--card); border: 1px solid var(--line); border-radius: 7px; padding: 0.3rem 0.6rem; min-height: 2.25rem; }
  button:hover:enabled, select:hover { border-color: var(--strong-line, var(--ink)); }
  button:disabled { opacity: 0.4; cursor: default; }
  button svg { width: 1.1rem; height: 1.1rem; fill: currentColor; display: block; }

  .head { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; align-items: center; justify-content: space-between; margin-bottom: 0.75rem; }
  header { display: flex; flex-wrap: wrap; gap: 0.1rem 1rem; align-items: baseline; min-width: 0; }
  .versus { display: inline-flex; flex-wrap: wrap; gap: 0.15rem 0.5rem; }
  .versus { max-width: 100%; } .versus > * { max-width: min(100%, 32ch); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .versus > * + *::before { content: "– "; color: var(--muted); font-weight: 400; }
  .badge { display: inline-block; padding: 0 0.5em; border-radius: 99px; background: var(--sunk); color: var(--muted); font-size: 0.75rem; line-height: 1.6; white-space: nowrap; }
  .badge.live { background: var(--bad-wash); color: var(--bad); }
  .badge.won { background: var(--wash); color: var(--accent); font-weight: 600; }
  .seat { display: inline-flex; align-items: baseline; gap: 0.4em; min-width: 0; }
  .seat::before { content: ""; flex: none; width: 0.6em; height: 0.6em; border-radius: 50%; background: var(--own, var(--muted)); }
  .seat > span { white-space: nowrap; }
  .of0 { --own: var(--s0); } .of1 { --own: var(--s1); } .of2 { --own: var(--s2); } .of3 { --own: var(--s3); }

  .eyes { display: flex; flex-wrap: wrap; gap: 0.4rem; align-items: center; min-width: 0; }
  .eyes label { position: relative; display: inline-flex; align-items: center; min-height: 2.25rem; max-width: 100%; padding: 0.2rem 0.8rem;
    border: 1px solid var(--line); border-radius: 99px; background: var(--card); cursor: pointer; font-size: 0.875rem; }
  .eyes label:hover { border-color: var(--strong-line, var(--ink)); }
  .eyes input { position: absolute; inset: 0; opacity: 0; margin: 0; cursor: pointer; }
  .eyes label:has(:checked) { background: var(--wash); border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
  .eyes label:has(:focus-visible) { outline: 2px solid var(--accent); outline-offset: 2px; }
  .eyes .name { max-width: 12rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }

  .desk { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; }
  .stage { container-type: inline-size; min-width: 0; border: 1px solid var(--line); border-radius: 12px; background: var(--card); overflow: clip; }
  .stage > .empty { padding: 3rem 1.5rem; text-align: center; color: var(--muted); }
  .bar { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 0.75rem; position: sticky; bottom: 0; z-index: 5; margin-top: 0.75rem; padding: 0.5rem 0.75rem 0.6rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px; box-shadow: 0 -6px 18px -12px #0006; }
  .said, .track { flex: 1 1 100%; min-width: 0; }
  .said { display: flex; gap: 0.75rem; align-items: baseline; line-height: 1.4; min-height: 1.5rem; }
  .said .lines { flex: 1; min-width: 0; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 1; line-clamp: 1; overflow: hidden; overflow-wrap: anywhere; }
  .said .line + .line::before { content: " · "; } .said .line + .line { color: var(--muted); font-size: 0.875rem; }
  .said .at { color: var(--muted); font-size: 0.8125rem; white-space: nowrap; }
  .track { position: relative; padding-top: 0.35rem; }
  .track svg { position: absolute; left: 8px; right: 8px; top: 0.2rem; width: calc(100% - 16px); height: 6px; overflow: visible; }
  .track rect { fill: var(--strong-line, #888); opacity: 0.55; } .track rect.fault { fill: var(--bad); opacity: 1; }
  .track input { width: 100%; margin: 0.2rem 0 0.3rem; height: 1.5rem; accent-color: var(--accent); cursor: pointer; display: block; }
  .keys { display: flex; flex-wrap: wrap; gap: 0.35rem; align-items: center; }
  .copied { max-width: 18rem; overflow-wrap: anywhere; }
  .keys .play { background: var(--accent); color: var(--on-accent, #fff); border-color: var(--accent); padding-inline: 0.9rem; }

  .side { display: flex; flex-direction: column; gap: 1rem; min-width: 0; }
  .panel { border: 1px solid var(--line); border-radius: 12px; background: var(--card); padding: 0.75rem 0.9rem; min-width: 0; }
  .panel > h3 { margin-bottom: 0.4rem; }
  .alert { border-left: 4px solid var(--bad); background: var(--bad-wash); border-radius: 0 10px 10px 0; padding: 0.7rem 1rem; margin-bottom: 0.75rem; overflow-wrap: anywhere; }
  .alert.quiet { border-color: var(--strong-line, var(--muted)); background: var(--sunk); }
  .alert pre { margin: 0.4rem 0 0; padding: 0.5rem 0.75rem; max-height: 8.5rem; font-size: 0.8125rem; line-height: 1.5; overflow: auto; background: var(--card); border-radius: 6px; white-space: pre-wrap; }
  .result { border-left: 4px solid var(--accent); background: var(--wash); border-radius: 0 10px 10px 0; padding: 0.7rem 1rem; margin-bottom: 0.75rem; }
  .result { display: flex; flex-wrap: wrap; gap: 0.1rem 1.5rem; align-items: baseline; } .result li { display: inline-flex; flex-wrap: wrap; gap: 0 0.6em; } .result ol { display: flex; flex-wrap: wrap; gap: 0.1rem 1.25rem; }
  .waiting { min-height: 80vh; }
  .result strong { font-family: var(--serif, serif); font-size: 1.1rem; overflow-wrap: anywhere; }
  table { border-collapse: collapse; width: 100%; font-size: 0.875rem; }
  th { font-weight: 400; color: var(--muted); text-align: right; font-size: 0.75rem; padding: 0 0 0.2rem 0.5rem; white-space: nowrap; }
  th:first-child, td:first-child { text-align: left; padding-left: 0; }
  td { text-align: right; padding: 0.25rem 0 0.25rem 0.5rem; border-top: 1px solid var(--line); white-space: nowrap; }
  td:first-child { white-space: normal; overflow-wrap: anywhere; }
  .chips { display: flex; flex-wrap: wrap; gap: 0.3rem; max-height: 7.5rem; overflow: auto; scrollbar-width: thin; }
  .chips li { border: 1px solid var(--line); border-radius: 6px; padding: 0.05rem 0.45rem; font: 0.8125rem/1.6 var(--mono, monospace); }
  .chips .chosen { border-color: var(--accent); background: var(--wash); font-weight: 600; }
  .quote { border-left: 3px solid var(--own, var(--line)); padding-left: 0.7rem; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 9rem; overflow: auto; }

  .moves { height: 17rem; overflow: auto; margin: 0 -0.4rem; scrollbar-width: thin; overscroll-behavior: contain; position: relative; }
  .moves button { display: grid; grid-template-columns: 2.2rem minmax(0, 1fr); width: 100%; min-height: 0; text-align: left; border: 0; border-radius: 6px; background: none; padding: 0.2rem 0.4rem; font-size: 0.875rem; line-height: 1.4; }
  .moves button:hover { background: var(--sunk); }
  .moves [aria-current] { background: var(--wash); box-shadow: inset 3px 0 var(--accent); }
  .moves .no { color: var(--muted); font-size: 0.75rem; line-height: 1.65; }
  .moves .line { display: block; overflow-wrap: anywhere; }
  .moves .line + .line { color: var(--muted); font-size: 0.8125rem; }
  .moves .chapter { border-bottom: 1px solid var(--line); }
  .moves .fault { color: var(--bad); font-weight: 600; }
  .log li { padding: 0.25rem 0; border-top: 1px solid var(--line); font-size: 0.875rem; white-space: pre-wrap; overflow-wrap: anywhere; }
  .log { max-height: 16rem; overflow: auto; margin-top: 0.4rem; }
  pre.log { padding: 0.5rem 0.65rem; background: var(--sunk); border-radius: 6px; font-size: 0.75rem; line-height: 1.5; white-space: pre-wrap; overflow-wrap: anywhere; }
  .log-panel summary { font-size: 0.875rem; } .log-panel details + details { margin-top: 0.35rem; } .log-panel .seat { vertical-align: bottom; }
  .log button { min-height: 0; padding: 0 0.4rem; font-size: 0.75rem; color: var(--muted); margin-right: 0.4rem; }

  dialog { border: 1px solid var(--line); border-radius: 12px; background: var(--card); color: var(--ink); padding: 1.25rem 1.5rem; max-width: min(30rem, 92vw); }
  dialog::backdrop { background: #0008; }
  dialog dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.4rem 1rem; margin: 0.75rem 0 1rem; }
  dialog dt { text-align: right; }

  @container (min-width: 62rem) {
    .desk { grid-template-columns: minmax(0, 1fr) 20.5rem; align-items: start; }
    .moves { height: 20rem; }
    .bar { display: grid; grid-template-columns: max-content minmax(0, 1fr) max-content; gap: 0.15rem 0.9rem; align-items: center; }
    .said { grid-column: 1 / -1; } .keys { grid-row: 2; } .track { grid-row: 2; grid-column: 2; padding-top: 0; } .track svg { top: -0.1rem; } .track input { margin: 0; }
  }
  @container (max-width: 34rem) {
    .keys .wide { display: none; } .keys { gap: 0.25rem; } .keys button, .keys select { padding-inline: 0.35rem; } .keys button:not(.wide) { min-width: 2.1rem; } .keys button svg { margin: auto; }
    .said { font-size: 0.875rem; height: 2.8em; } .said .lines { -webkit-line-clamp: 2; line-clamp: 2; }
    .bar { padding-inline: 0.6rem; }
    .eyes .name { max-width: 11rem; }
  }
  @media (prefers-reduced-motion: reduce) { *, *::before, *::after { animation: none !important; transition: none !important; } }
  @media print {
    .eyes, .bar .track, .keys, .moves-panel, dialog, .log-panel { display: none !important; }
    .bar { position: static; box-shadow: none; } .said .lines { display: block; }
    .desk { grid-template-columns: minmax(0, 1fr); } .stage, .panel { break-inside: avoid; }
  }
`;var Fa=250,ke=class extends A{static styles=at;static properties={src:{},live:{type:Boolean},replay:{attribute:!1},step:{state:!0},eye:{state:!0},playing:{state:!0},speed:{state:!0},entry:{state:!0},problem:{state:!0},copied:{state:!0},t:{state:!0}};film=new oe(0);ends=[];wrong=[];sought="";site=document.title.split(" · ").slice(1);timer=0;pending=0;constructor(){super(),Object.assign(this,{live:!1,replay:null,step:0,eye:null,playing:!1,speed:1}),Object.assign(this,{entry:null,problem:"",copied:"",t:ue({})})}append(...e){let r=this.step===this.film.last;this.film.append(e.filter(Array.isArray).flat()),this.survey(),r&&(this.step=this.film.last),this.requestUpdate()}connectedCallback(){super.connectedCallback(),addEventListener("hashchange",this.follow),addEventListener("keydown",this.press),!this.live&&!this.replay&&this.open()}disconnectedCallback(){super.disconnectedCallback(),removeEventListener("hashchange",this.follow),removeEventListener("keydown",this.press),clearTimeout(this.timer),clearTimeout(this.pending)}async open(){let e=ve(location.hash).game??this.id;this.sought=e;let r;try{r=this.src?{replay:await Ye(e,this.src)}:await nr(e);let s=r.replay?.game??r.entry?.variant.split("/")[0];s&&(r.t=await Qe(s,this.language))}catch(s){r={problem:`This game cannot be shown: ${s.message}.`}}this.sought===e&&(this.pause(),Object.assign(this,{problem:"",entry:null,replay:null},r),this.entitle())}entitle(){let e=this.replay?.seats??this.entry?.seats.map(s=>({bot:s.name}));if(!e)return;let r=`game ${(this.replay?.id??this.id).slice(0,12)}`;document.title=[e.map(({bot:s})=>w(s,24)).join(" – "),r,...this.site].join(" · ")}willUpdate(e){e.has("replay")&&this.replay&&this.start(this.replay)}start(e){this.film=new oe(e.seats.length),this.film.append(e.events),this.survey();let r=We[e.game]?.styles.styleSheet;this.shadowRoot.adoptedStyleSheets=[at.styleSheet,...r?[r]:[]],this.live?this.goTo({step:this.film.last,eye:null}):this.arrive(ve(location.hash)),Qe(e.game,this.language).then(s=>this.t=s)}get language(){return this.lang||document.documentElement.dataset.lang||"en"}survey(){this.ends=xr(this.film),this.wrong=xe(this.film,this.film.last,null).map(({step:e})=>e)}goTo({step:e,eye:r}){this.step=Math.min(e??0,this.film.last),this.eye=r!==null&&r<(this.replay?.seats.length??0)?r:null}arrive(e){this.goTo(e),(this.step!==(e.step??0)||this.eye!==e.eye)&&this.address()}follow=()=>{if(this.live)return;let e=ve(location.hash);e.game&&(clearTimeout(this.pending),this.pending=0,this.replay?.id.startsWith(e.game)?this.arrive(e):this.open())};go=e=>{this.pause(),this.show(e)};show(e){this.step=Math.max(0,Math.min(e,this.film.last)),this.address()}look=e=>{this.live||e!==null&&e>=this.replay.seats.length||(this.eye=e,this.address())};address(){if(this.live||this.pending||!this.replay?.id.startsWith(this.sought))return;let e=location.hash;this.pending=window.setTimeout(()=>{this.pending=0,!(!this.replay||location.hash!==e)&&history.replaceState(history.state,"",Ke(this.replay.id,this.step,this.eye))},Fa)}chapter(e){let r=e>0?this.ends.find(s=>s>this.step):this.ends.filter(s=>s<this.step).at(-1);this.go(r??this.step)}toggle=()=>{if(this.playing)return this.pause();this.step===this.film.last&&this.show(0),this.playing=!0,this.tick()};pause(){this.playing=!1,clearTimeout(this.timer)}tick(){this.timer=window.setTimeout(()=>{this.show(this.step+1),this.step<this.film.last?this.tick():this.pause()},1e3/this.speed)}press=e=>{let r=this.replay?vr(e):null;r!==null&&(e.preventDefault(),typeof r=="number"?this.look(r?r-1:null):this.act(r))};act=e=>{({first:()=>this.go(0),chapterBack:()=>this.chapter(-1),back:()=>this.go(this.step-1),play:this.toggle,on:()=>this.go(this.step+1),chapterOn:()=>this.chapter(1),last:()=>this.go(this.film.last),help:()=>this.dialog?.showModal()})[e]()};get dialog(){return this.renderRoot.querySelector("dialog")}copy=async()=>{let e=location.href.split("#")[0]+Ke(this.replay.id,this.step,this.eye),r=await navigator.clipboard?.writeText(e).then(()=>!0,()=>!1);this.copied=r?"Link copied":e,setTimeout(()=>this.copied="",r?2e3:2e4)};updated(){let e=this.renderRoot.querySelector(".moves [aria-current]"),r=e?.closest(".moves");if(!e||!r)return;r.contains(this.shadowRoot.activeElement)&&e.focus({preventScroll:!0});let s=e.offsetTop-r.clientHeight/2;Math.abs(r.scrollTop-s)>r.clientHeight/3&&(r.scrollTop=s)}render(){if(this.problem)return o`<p role="alert">${T(this.problem)}</p>`;if(this.replay)return this.position(this.replay);let e=this.live?"Waiting for the first moves…":"Loading…";if(!this.entry)return o`<p class="muted waiting" role="status">${e}</p>`;let r=this.entry.seats.map(s=>({bot:s.name,slug:s.bot}));return o`<div class="head">${Ze(r,this.entry.variant,this.id,!1)}</div>${Er(this.id,this.entry,this.t)}`}position(e){let{film:r,step:s,eye:a,t:n}=this,i=We[e.game],l=ur(i,n),p=r.news(s,a).filter(({kind:u})=>u==="@fault"),c=e.seats.map((u,f)=>({bot:u.bot,slug:this.entry?.seats[f]?.bot})),m=Array.from({length:r.last+1},(u,f)=>wr(r,f,a,s,i,n));return o`<div class="head">${Ze(c,e.variant,e.id,this.live)}
        ${this.live?d:or(e.seats,a,this.look,n)}</div>
      <div class="desk">
        <div>${this.outcome(e)}${p.map(u=>Cr(u,e.seats,n))}
          <div class="stage">${this.picture(e,i)}</div></div>
        <div class="side">${this.aside(e,m,l)}</div>
      </div>
      ${this.bar(m[s],l)}${gr(()=>this.dialog?.close())}`}picture(e,r){let{film:s,step:a,eye:n,t:i}=this,l=s.views(a,n);if(l.every(m=>!m||Object.keys(m).length===0))return o`<p class="empty">There is nothing to see: the moves of a void game are not shown.</p>`;if(!r)return o`<p class="empty">There is no picture of ${w(e.game)} here; its moves stand beside.</p>`;let{setup:p,seats:c}=e;return r.draw({setup:p,seats:c,views:l,unseen:s.unseen(a,n),eye:n,step:a,news:s.news(a,n),t:i})}outcome(e){let r=this.film.news(this.step,this.eye).find(({kind:s})=>s==="@end")?.body;return r?rt(e.seats,r,this.t):d}aside(e,r,s){let{film:a,step:n,eye:i,t:l}=this,p=a.news(n,i),c=p.find(({kind:b})=>b==="@end")?.body??null,m=p.filter(b=>b.kind==="@legal"&&Mr(a,n,b.body.seat)),u=n<a.last?a.news(n+1,i).filter(({kind:b})=>b==="@action"):[],f=c?[]:a.views(n,i).find(b=>b)?.to_act??[];return o`${mr(r,n,new Set(this.ends),this.go,s)}
      ${pr(r[n],e.seats,l)}
      ${dr(m,u,e.seats,l)}
      ${lr(e,yr(a,e.seats.length,n,i),c,f,Tr(a,n),l)}
      ${cr(Sr(a,n,i),kr(a,i),e.seats,this.go,l)}`}bar(e,r){let{step:s,ends:a,wrong:n,playing:i,speed:l,live:p,copied:c}=this,m={move:e,step:s,last:this.film.last,ends:a,wrong:n,playing:i,speed:l,live:p,copied:c},u={act:this.act,go:this.go,pace:f=>this.speed=f,copy:this.copy};return fr(m,u,r)}};customElements.define("arena-replay",ke);})();
