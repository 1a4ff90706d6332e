import { createApp } from "vue";
import App from "./App.vue";
import { vuetify } from "./vuetify.js";
import "trellis-policy/vue.css";
import "./page.css";

createApp(App).use(vuetify).mount("#app");
